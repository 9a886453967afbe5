"""Where a scripted query takes its rows from: the JVM's memory, one micro-batch at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql import DataFrame

from trainer.spark import janino

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

# What tasks get is Spark's own, for its tests: executors know no class of ours.
SOURCE = """
import java.util.Collections;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.streaming.StreamingRelationV2;
import org.apache.spark.sql.catalyst.streaming.Unassigned$;
import org.apache.spark.sql.catalyst.types.DataTypeUtils$;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.classic.Dataset$;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.apache.spark.sql.execution.streaming.runtime.LongOffset;
import org.apache.spark.sql.execution.streaming.runtime.MemoryStreamInputPartition;
import org.apache.spark.sql.execution.streaming.runtime.MemoryStreamReaderFactory$;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

public class ScriptedStream
    implements SupportsRead, ScanBuilder, Scan, MicroBatchStream, SupportsTriggerAvailableNow {
  private final StructType schema;
  private final UnsafeRow[][] batches;
  private final boolean atOnce;

  /** Rows, and by micro-batch how many of them: "5 0 3"; or all that is there, in one. */
  public ScriptedStream(Dataset rows, String lengths, boolean atOnce) {
    this.atOnce = atOnce;
    schema = rows.schema().asNullable();
    InternalRow[] all = rows.queryExecution().executedPlan().executeCollect();
    String[] each = lengths.isEmpty() ? new String[0] : lengths.split(" ");
    batches = new UnsafeRow[each.length][];
    int next = 0;
    for (int n = 0; n < each.length; n++) {
      batches[n] = new UnsafeRow[Integer.parseInt(each[n])];
      for (int row = 0; row < batches[n].length; row++) batches[n][row] = (UnsafeRow) all[next++];
    }
  }

  public Dataset frame(SparkSession session) {
    scala.Option none = scala.Option.empty();
    return Dataset$.MODULE$.ofRows(session, new StreamingRelationV2(
        none, "script", this, CaseInsensitiveStringMap.empty(),
        DataTypeUtils$.MODULE$.toAttributes(schema), none, none, none, Unassigned$.MODULE$));
  }

  public String name() { return "script"; }
  public String description() { return "script"; }
  public String toString() { return "script"; }
  public StructType schema() { return schema; }
  public StructType readSchema() { return schema; }
  public Set capabilities() { return Collections.singleton(TableCapability.MICRO_BATCH_READ); }
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) { return this; }
  public Scan build() { return this; }
  public MicroBatchStream toMicroBatchStream(String checkpoint) { return this; }
  public Scan.ColumnarSupportMode columnarSupportMode() {
    return Scan.ColumnarSupportMode.UNSUPPORTED;
  }

  public Offset initialOffset() { return new LongOffset(-1); }
  public Offset deserializeOffset(String json) { return new LongOffset(Long.parseLong(json)); }
  public Offset latestOffset() { throw new IllegalStateException("a limit is always given"); }
  public Offset latestOffset(Offset start, ReadLimit limit) {
    long next = atOnce ? batches.length - 1 : ((LongOffset) start).offset() + 1;
    return next < batches.length ? new LongOffset(next) : start;
  }
  public void prepareForTriggerAvailableNow() {}
  public InputPartition[] planInputPartitions(Offset start, Offset end) {
    int first = (int) ((LongOffset) start).offset() + 1;
    InputPartition[] partitions = new InputPartition[(int) ((LongOffset) end).offset() + 1 - first];
    for (int n = 0; n < partitions.length; n++)
      partitions[n] = new MemoryStreamInputPartition(batches[first + n]);
    return partitions;
  }
  public PartitionReaderFactory createReaderFactory() { return MemoryStreamReaderFactory$.MODULE$; }
  public void commit(Offset end) {}
  public void stop() {}
}
"""


def stream(
    spark: SparkSession, schema: pa.Schema, batches: Sequence[pa.Table], at_once: bool = False
) -> DataFrame:
    """Give a stream that takes one of these tables a trigger, an empty one too, and then ends.

    `at_once` makes it one without a limit: a trigger takes all that is there and not yet taken.
    """
    # In one piece: Spark takes an empty one for the end.
    rows = spark.createDataFrame(
        pa.concat_tables([schema.empty_table(), *batches]).combine_chunks()
    )
    lengths = " ".join(str(batch.num_rows) for batch in batches)
    scripted = janino.make(spark, SOURCE, "ScriptedStream", rows._jdf, lengths, at_once)
    return DataFrame(scripted.frame(spark._jsparkSession), spark)
