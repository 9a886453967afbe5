"""An answer, run: scripted streams in, a real streaming query, plain rows out."""
