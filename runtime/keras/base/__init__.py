"""Parts of layers and models: variables, names, dtype policies, symbolic tensors, `Layer`."""
