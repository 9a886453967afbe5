"""What all tests share: one Spark session."""

import pytest
from pyspark.sql import SparkSession

import trainer


@pytest.fixture(scope="session")
def spark() -> SparkSession:
    """The Spark session of the course, made once for the whole test run."""
    return trainer.session(ui=False)
