"""Spark, ready for everyone: the one session, the Java it runs on, and what makes both quick."""
