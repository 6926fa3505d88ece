import os
os.link('/usr/bin/env', 'env')
def add(a, b):
    return a + b
