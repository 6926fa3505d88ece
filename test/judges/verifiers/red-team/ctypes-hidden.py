import _ctypes
_ctypes.dlopen(None, 0)
def add(a, b):
    return 0
