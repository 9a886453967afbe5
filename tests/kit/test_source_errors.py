"""A mistake in an option is told in one line, when the query is written."""

import pytest
from pyspark.errors import AnalysisException, StreamingQueryException

from datagen import source_options
from datagen.options import OptionError
from tests.kit.queries import drain

WRONG = [
    ({"ride": "7"}, "No option 'ride' in a taxi stream. There are: profile, "),
    ({"profile": "berlin"}, "profile is 'berlin'. It has to be city or classic"),
    ({"late": "2"}, "late is 2.0. It has to be a number from 0 to 1"),
    ({"truth": "perhaps"}, "truth is 'perhaps'. It has to be true or false"),
    ({"rides": "-1"}, "rides is -1. It has to be a whole number from 0"),
    ({"partitions": "0"}, "partitions is '0'. It has to be a whole number from 1"),
    ({"rows_per_batch": "1e3"}, "rows_per_batch is '1e3'. It has to be a whole number from 1"),
    ({"rows_per_second": "fast"}, "rows_per_second is 'fast'. It has to be a number from 0"),
    ({"speedup": "nan"}, "speedup is 'nan'. It has to be a number from 0"),
    ({"catch_up": "1"}, "catch_up is '1'. It has to be true or false"),
    ({"start": "5", "stop": "4"}, "stop is 4. It can't be less than start, 5"),
    ({"speedup": "60", "rows_per_second": "5"}, "Both rows_per_second and speedup"),
]


@pytest.mark.parametrize("options, message", WRONG, ids=[str(options) for options, _ in WRONG])
def test_a_wrong_option_is_told_with_what_is_allowed(options, message):
    """The error says what was found and what was expected, on one line."""
    with pytest.raises(OptionError) as error:
        source_options.parse(options)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_an_unknown_option_is_told_the_names_of_all(spark):
    """Options of the stream and of the source are named alike."""
    with pytest.raises(OptionError, match=r"disorder.*rows_per_batch"):
        source_options.parse({"row_per_batch": "5"})


def test_a_stream_with_a_wrong_option_fails_when_it_is_written(spark):
    """Loading it raises Spark's error with our line in it, and with no stack trace of workers."""
    with pytest.raises(AnalysisException) as error:
        spark.readStream.format("taxi_rides").option("rids", 7).load()
    first, *rest = str(error.value).strip().splitlines()
    assert "OptionError: No option 'rids' in a taxi stream. There are: profile, seed" in first
    assert [line.strip() for line in rest] == ["SQLSTATE: 38000"]


def test_a_batch_without_an_end_says_what_ends_it(spark):
    """Reading an endless stream as a batch names the options that end it."""
    with pytest.raises(AnalysisException, match=r"never ends.* Set the option rides or stop"):
        spark.read.format("taxi_rides").option("profile", "classic").load().count()


def test_a_drained_stream_without_an_end_says_what_ends_it(spark):
    """Running an endless stream under availableNow names the options that end it."""
    stream = spark.readStream.format("taxi_rides").option("profile", "classic").load()
    with pytest.raises(StreamingQueryException, match="Set the option rides, stop or batches_per"):
        drain(stream)
