"""An answer only describes a stream: what it calls may start no query, what others call may."""

import threading
import time
from collections.abc import Callable

import pytest
from pyspark.sql import DataFrame
from pyspark.sql.streaming import StreamingQuery

from trainer.running.answer import ContractError, TooSlow
from trainer.running.calling import call

PATIENCE = 30


@pytest.fixture
def stream(spark) -> DataFrame:
    """A stream that never ends."""
    return spark.readStream.format("rate").load()


@pytest.fixture(autouse=True)
def no_query_stays(spark):
    """Stop the queries that a test has started, wanted or not."""
    yield
    for query in spark.streams.active:
        query.stop()


def start(stream: DataFrame) -> StreamingQuery:
    """Start a query that throws away what comes."""
    return stream.writeStream.format("noop").start()


@pytest.mark.parametrize(
    "start", [start, lambda stream: stream.writeStream.toTable("not_there")], ids=["start", "table"]
)
def test_no_query_is_started_by_an_answer(spark, stream, start: Callable):
    """Neither one into a sink nor one into a table."""
    with pytest.raises(ContractError, match="starts a streaming query itself"):
        call(start, PATIENCE, stream=stream)
    assert not spark.streams.active


def test_an_answer_that_was_given_up_starts_no_query_later_on(spark, stream):
    """Whoever outlasts its time, and the end it is put to, is refused as before."""
    ended = threading.Event()

    def answer(stream: DataFrame) -> DataFrame:
        try:
            while True:
                time.sleep(0.2)
        finally:
            try:
                start(stream)
            finally:
                ended.set()

    with pytest.raises(TooSlow):
        call(answer, 0.1, stream=stream)
    assert ended.wait(PATIENCE)
    assert not spark.streams.active


def test_others_start_queries_while_an_answer_is_called(spark, stream):
    """Only the thread that calls the answer is held back."""
    called, go_on = threading.Event(), threading.Event()

    def answer(stream: DataFrame) -> DataFrame:
        called.set()
        go_on.wait(PATIENCE)
        return stream

    neighbour = threading.Thread(target=call, args=(answer, PATIENCE), kwargs={"stream": stream})
    neighbour.start()
    try:
        assert called.wait(PATIENCE)
        assert start(stream).isActive
    finally:
        go_on.set()
        neighbour.join()


def test_a_query_starts_as_ever_once_the_answer_has_returned(stream):
    """The thread that had the answer called is free again, and was all along."""
    call(lambda stream: stream, PATIENCE, stream=stream)
    assert start(stream).isActive
