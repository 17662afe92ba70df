"""Programs of the corpus are data: their files hold many modules each."""

collect_ignore = ["corpus"]
