import os
os.chdir('/')
open('escaped', 'w').write('x')
def add(a, b):
    return a + b
