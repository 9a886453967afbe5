"""Grading: a folder of untrusted submissions in, grades and reports out."""
