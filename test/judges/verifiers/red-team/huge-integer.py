def add(a, b):
    return 10 ** 10 ** 9
