# %% table_of_transitions: (3,), (-3,)
class Machine:
    TRANSITIONS = {("idle", "go"): "run", ("run", "stop"): "idle", ("run", "go"): "run"}
    def __init__(self):
        self.state = "idle"
        self.count = 0
    def fire(self, event):
        key = (self.state, event)
        if key in self.TRANSITIONS:
            self.state = self.TRANSITIONS[key]
            self.count += 1
        return self.state
def program(x):
    machine = Machine()
    machine.fire("go")
    if x > 0:
        machine.fire("stop")
    return machine.fire("go"), machine.fire("stop"), machine.count

# %% pair_in_set: (3, 1), (1, 2), (-3, 0)
def program(x, y):
    pair = (x, y)
    return pair in {(3, 1), (1, 2)}, (y, x) not in {(1, 3): 0}, pair in frozenset([(1, 2)]), pair in [(3, 1)]

# %% pair_as_key: (3, 1), (1, 2), (-3, 0)
def program(x, y):
    walls = {(3, 1): "a", (1, 2): "b"}
    key = (x, y)
    if key in walls:
        return walls[key]
    return walls.get(key, "none")
