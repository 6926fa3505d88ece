def add(a, b):
    return [0] * (10 ** 9)
