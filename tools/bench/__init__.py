"""How fast things are, beside a peer that is measured in the same run."""
