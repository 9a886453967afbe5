"""Benchmarks that print ratios."""
