"""How many rows each query has dropped for being late, counted as its reports come in.

Spark itself keeps the last hundred reports of a query, and counts nothing over all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainer.spark import janino

if TYPE_CHECKING:
    from collections.abc import Sequence

    from py4j.java_gateway import JavaObject
    from pyspark.sql import SparkSession
    from pyspark.sql.streaming import StreamingQuery

SOURCE = """
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.spark.sql.streaming.StateOperatorProgress;
import org.apache.spark.sql.streaming.StreamingQueryListener;
import org.apache.spark.sql.streaming.StreamingQueryProgress;

public class DroppedRows extends StreamingQueryListener {
  private final Map counted = new LinkedHashMap() {
    protected boolean removeEldestEntry(Map.Entry eldest) { return size() > 1000; }
  };

  public DroppedRows() {}

  public void onQueryStarted(StreamingQueryListener.QueryStartedEvent event) {}
  public void onQueryTerminated(StreamingQueryListener.QueryTerminatedEvent event) {}

  public synchronized void onQueryProgress(StreamingQueryListener.QueryProgressEvent event) {
    StreamingQueryProgress report = event.progress();
    String run = report.runId().toString();
    long[] before = (long[]) counted.get(run);
    long first = before == null ? report.batchId() : before[0];
    long dropped = before == null ? 0 : before[2];
    StateOperatorProgress[] operators = report.stateOperators();
    for (int n = 0; n < operators.length; n++) dropped += operators[n].numRowsDroppedByWatermark();
    counted.put(run, new long[] {first, report.batchId(), dropped});
  }

  /** The first and the last micro-batch that are counted, and the rows dropped in them. */
  public synchronized String of(String run) {
    long[] known = (long[]) counted.get(run);
    return known == null ? "0 -1 0" : known[0] + " " + known[1] + " " + known[2];
  }
}
"""

_listeners: dict[object, JavaObject] = {}


def count(spark: SparkSession) -> None:
    """Count from now on, for all queries of a session."""
    if spark.sparkContext not in _listeners:
        listener = janino.make(spark, SOURCE, "DroppedRows")
        spark._jsparkSession.streams().addListener(listener)
        _listeners[spark.sparkContext] = listener


def dropped(query: StreamingQuery, reports: Sequence[dict]) -> int:
    """Add up what a query has dropped, as counted, and in its reports that are not counted."""
    from pyspark import SparkContext

    listener = _listeners.get(SparkContext._active_spark_context)
    first, last, counted = map(int, listener.of(query.runId).split()) if listener else (0, -1, 0)
    others = [report for report in reports if not first <= report["batchId"] <= last]
    operators = [operator for report in others for operator in report["stateOperators"]]
    return counted + sum(operator["numRowsDroppedByWatermark"] for operator in operators)
