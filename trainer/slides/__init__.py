"""Slides: a chapter's notebook, one idea at a time, as one page that needs no network."""
