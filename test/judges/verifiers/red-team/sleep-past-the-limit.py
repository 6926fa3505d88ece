def add(a, b):
    return a + b
import time
time.sleep(3600)
