from runtime.profiler import experimental as experimental
