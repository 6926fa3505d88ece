import importlib.machinery, importlib.util
open('x.so', 'wb').write(b'\x7fELF')
spec = importlib.util.spec_from_file_location('x', 'x.so')
importlib.util.module_from_spec(spec)
def add(a, b):
    return a + b
