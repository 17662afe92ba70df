"""Ways to run a graph. An engine makes a graph executable: `engine(graph)(*arrays)`."""
