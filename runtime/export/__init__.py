"""Interchange formats: GraphDef and protocol buffers."""
