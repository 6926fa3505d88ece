open('/var/tmp/escaped-from-code-exec', 'w').write('x')
def add(a, b):
    return a + b
