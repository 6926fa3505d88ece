import gc

def add(a, b):
    return gc.get_referrers(a)
