import sys

def add(a, b):
    frame = sys._getframe(1)
    return frame.f_locals
