import os
assert os.environ.get('HOME') or os.environ.get('TRACEMILL_TOKEN')
def add(a, b):
    return a + b
