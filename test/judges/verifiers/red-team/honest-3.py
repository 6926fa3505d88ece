import math

def area(r):
    return math.pi * r ** 2
# honest
# --- tests
import math
assert math.isclose(area(1), 3.14159, rel_tol=1e-5)
assert abs(area(2) - 12.566) < 1e-2
assert isinstance(area(1), (int, float)) and sorted([2, 1]) == [1, 2] and len({1, 2} & {2}) == 1
for n, want in zip(range(2), [0, math.pi]):
    assert area(n) == want, f'{area(n)} is not {want!r}'
