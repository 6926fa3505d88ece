class Number:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == (other.n if isinstance(other, Number) else other)

def add(a, b):
    return Number(a + b)
# honest
