import inspect

def add(a, b):
    return inspect.stack()[1].frame.f_locals
