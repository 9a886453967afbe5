"""Local files without a process for each: Hadoop starts `chmod` whenever it makes one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trainer.spark import janino

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# A micro-batch makes some sixteen small files, and so sixteen processes: more than half its time.
# Java's own way to make a file gives the rights that the user's umask says, which is what we want.
# Spark carries this compiler for the code that it generates itself.
SOURCE = """
class Raw extends org.apache.hadoop.fs.RawLocalFileSystem {
  public void setPermission(
      org.apache.hadoop.fs.Path path, org.apache.hadoop.fs.permission.FsPermission permission) {}
}
public class QuietLocalFiles extends org.apache.hadoop.fs.LocalFileSystem {
  public QuietLocalFiles() { super(new Raw()); }
}
"""


def without_processes(spark: SparkSession) -> None:
    """Let Hadoop's file system for `file:` make files without starting processes."""
    files = spark._jvm.org.apache.hadoop.fs.FileSystem
    settings = spark._jvm.org.apache.hadoop.conf.Configuration(spark._jsc.hadoopConfiguration())
    settings.setClassLoader(janino.loader(spark, SOURCE))
    settings.set("fs.file.impl", "QuietLocalFiles")
    home = spark._jvm.java.net.URI.create("file:///")
    # All of Hadoop shares the instance that is made first.
    files.get(home, settings).close()
    files.get(home, settings)
