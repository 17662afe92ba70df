from runtime.profiler.recording import start as start
from runtime.profiler.recording import stop as stop
