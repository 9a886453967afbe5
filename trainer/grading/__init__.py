"""Grades a folder of submissions, each in a sandbox, and writes tables and reports."""
