def add(a, b):
    return 0
import sys
sys.flags = None
__debug__ is True
