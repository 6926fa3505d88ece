def fine(a, b):
    return a + b

def add(a, b):
    return 0

add.__code__ = fine.__code__
