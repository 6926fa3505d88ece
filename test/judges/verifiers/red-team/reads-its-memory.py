with open('/proc/self/mem', 'rb') as memory:
    memory.seek(4096)
    memory.read(16)
def add(a, b):
    return 0
