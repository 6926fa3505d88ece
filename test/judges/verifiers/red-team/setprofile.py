import sys
sys.setprofile(lambda *_: None)
def add(a, b):
    return 0
