"""Small Java classes of our own, compiled inside the JVM: no compiler and no jar is needed."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py4j.java_gateway import JavaObject
    from pyspark.sql import SparkSession

_lock = threading.Lock()
_loaders: dict[tuple[int, str], JavaObject] = {}


def make(spark: SparkSession, source: str, name: str, *arguments: object) -> JavaObject:
    """Make an object of a Java class that some source text holds, by its only constructor."""
    (constructor,) = loader(spark, source).loadClass(name).getConstructors()
    given = spark._sc._gateway.new_array(spark._jvm.Object, len(arguments))
    for place, argument in enumerate(arguments):
        given[place] = argument
    return constructor.newInstance(given)


def loader(spark: SparkSession, source: str) -> JavaObject:
    """Compile a text once in each JVM; Spark carries the compiler for the code it generates."""
    key = (id(spark._jvm), source)
    with _lock:
        if key not in _loaders:
            compiler = spark._jvm.org.codehaus.janino.SimpleCompiler()
            compiler.cook(source)
            _loaders[key] = compiler.getClassLoader()
        return _loaders[key]
