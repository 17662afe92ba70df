"""Definition of op types: arguments, operands, shape rules and parts of gradients."""
