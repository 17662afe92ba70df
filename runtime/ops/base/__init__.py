"""How op types are defined: arguments, operands, shape rules and parts of gradients."""
