"""Runs the command line as `python -m datagen`."""

from datagen.cli import main

main()
