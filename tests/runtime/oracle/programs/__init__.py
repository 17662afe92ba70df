"""The programs of the corpus, by subject."""
