import sys

def add(a, b):
    return list(sys._current_frames().values())[0].f_locals
