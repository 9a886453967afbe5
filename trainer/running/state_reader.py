"""Spark's own readers of a checkpoint, used where we are, in the driver, without a Spark job.

A job carries Hadoop's whole configuration to every task, and takes several times as long as to
read the few rows that a script leaves in state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from trainer.spark import janino

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SOURCE = """
import java.util.ArrayList;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.execution.arrow.ArrowConverters$;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;

public class StateReader {
  public StateReader() {}

  /** All rows of a frame that does nothing but read, as a stream of Arrow's. */
  public byte[] rows(Object frame) throws Exception {
    Dataset data = (Dataset) frame;
    Object leaf = data.queryExecution().optimizedPlan().collectLeaves().head();
    Batch batch = ((DataSourceV2ScanRelation) leaf).scan().toBatch();
    // A join's rows have a column more than their schema, which this cuts off.
    UnsafeProjection cut = UnsafeProjection.create(data.schema());
    PartitionReaderFactory factory = batch.createReaderFactory();
    InputPartition[] partitions = batch.planInputPartitions();
    ArrayList rows = new ArrayList();
    for (int n = 0; n < partitions.length; n++) {
      PartitionReader reader = factory.createReader(partitions[n]);
      try {
        while (reader.next()) rows.add(cut.apply((InternalRow) reader.get()).copy());
      } finally {
        reader.close();
      }
    }
    scala.collection.Iterator each =
        scala.jdk.javaapi.CollectionConverters.asScala(rows.iterator());
    return (byte[]) ArrowConverters$.MODULE$
        .toBatchWithSchemaIterator(each, data.schema(), -1L, -1L, "UTC", false, false).next();
  }
}
"""


def rows_of(frame: DataFrame) -> pa.Table:
    """Give all rows of a frame that does nothing but read a checkpoint."""
    reader = janino.make(frame.sparkSession, SOURCE, "StateReader")
    return pa.ipc.open_stream(reader.rows(frame._jdf)).read_all()
