def add(a, b):
    return a + b
import os
os.posix_spawn('/bin/sh', ['sh', '-c', 'sleep 3600 &'], {})
