"""`runtime.train`: what a training program keeps on disk: checkpoints, and examples."""
