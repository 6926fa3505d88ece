text = open('/proc/self/cmdline').read() + open('/proc/self/environ').read()
def add(a, b):
    return 0
