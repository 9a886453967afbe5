"""Where a scripted query puts its rows: in the JVM, until all are fetched at once.

A function of Python's that is called with every micro-batch would cost some 50 ms each time.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema

from trainer.spark import janino

if TYPE_CHECKING:
    from py4j.java_gateway import JavaObject
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

    from trainer.rows import Row

SOURCE = """
import java.util.TreeMap;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.execution.arrow.ArrowConverters$;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import org.apache.spark.sql.types.StructType;

public class KeptRows implements VoidFunction2 {
  private final TreeMap batches = new TreeMap();

  public KeptRows() {}

  public void call(Object frame, Object number) {
    InternalRow[] rows = ((Dataset) frame).queryExecution().executedPlan().executeCollect();
    synchronized (this) { batches.put(number, rows); }
  }

  /** The number of each micro-batch and its number of rows: "0:5 1:0". */
  public synchronized String counts() {
    StringBuilder text = new StringBuilder();
    for (Object number : batches.keySet()) {
      text.append(number).append(':').append(((InternalRow[]) batches.get(number)).length);
      text.append(' ');
    }
    return text.toString();
  }

  /** All rows, as a stream of Arrow's, in the order in which they came. */
  public synchronized byte[] rows(StructType schema) {
    java.util.ArrayList all = new java.util.ArrayList();
    for (Object rows : batches.values()) all.addAll(java.util.Arrays.asList((Object[]) rows));
    scala.collection.Iterator each =
        scala.jdk.javaapi.CollectionConverters.asScala(all.iterator());
    return (byte[]) ArrowConverters$.MODULE$
        .toBatchWithSchemaIterator(each, schema, -1L, -1L, "UTC", false, false).next();
  }

  /** The reports on a query's micro-batches that Spark still has, as a list in JSON. */
  public String reports(StreamingQuery query) {
    StringBuilder text = new StringBuilder("[");
    StreamingQueryProgress[] reports = query.recentProgress();
    for (int n = 0; n < reports.length; n++)
      text.append(n > 0 ? "," : "").append(reports[n].json());
    return text.append("]").toString();
  }
}
"""


class KeptRows:
    """Keeps the rows of every micro-batch."""

    def __init__(self, spark: SparkSession) -> None:
        """Keep them in the JVM of this session."""
        self._kept = janino.make(spark, SOURCE, "KeptRows")

    def writer(self, frame: DataFrame) -> JavaObject:
        """Give Java's writer of a stream, which puts its rows here."""
        return frame._jdf.writeStream().foreachBatch(self._kept)

    def counts(self) -> dict[int, int]:
        """Say how many rows each micro-batch has given."""
        pairs = (pair.split(":") for pair in self._kept.counts().split())
        return {int(number): int(count) for number, count in pairs}

    def reports(self, query: JavaObject) -> list[dict]:
        """Give Spark's reports on the micro-batches of a query."""
        return json.loads(self._kept.reports(query))

    def rows(self, frame: DataFrame) -> dict[int, list[Row]]:
        """Fetch all rows, by micro-batch; the frame is one that they came from."""
        stream = self._kept.rows(frame._jdf.schema())
        rows = pa.ipc.open_stream(stream).read_all().cast(arrow_schema(frame.schema)).to_pylist()
        following = iter(rows)
        return {
            number: [next(following) for _ in range(count)]
            for number, count in self.counts().items()
        }


def arrow_schema(schema: StructType) -> pa.Schema:
    """Give the types that rows have in Arrow, as `DataFrame.toArrow` gives them."""
    return to_arrow_schema(schema, error_on_duplicated_field_names_in_struct=True, timezone="UTC")
