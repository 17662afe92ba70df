"""The rewrites, one file a construct."""
