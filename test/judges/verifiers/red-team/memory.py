def add(a, b):
    return a + b
keep = []
while True:
    keep.append(bytearray(1 << 24))
