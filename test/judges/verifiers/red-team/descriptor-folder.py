import os
for fd in os.listdir('/proc/self/fd'):
    print(os.readlink('/proc/self/fd/' + fd))
def add(a, b):
    return 0
