def add(a, b):
    return a + b
# honest
# --- tests
import unittest
from fractions import Fraction

class T(unittest.TestCase):
    def setUp(self):
        self.values = [(1, 2, 3), (Fraction(1, 2), 1, Fraction(3, 2))]

    def test_all(self):
        for a, b, want in self.values:
            with self.subTest(a=a):
                self.assertEqual(add(a, b), want)

    def test_error(self):
        with self.assertRaises(TypeError):
            add('x', 1)
