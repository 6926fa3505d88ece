import multiprocessing

def add(a, b):
    with multiprocessing.Pool(1) as pool:
        return pool.apply(sum, ([a, b],))
