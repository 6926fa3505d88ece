import sys
while True:
    sys.stdout.write('x' * 65536)
    sys.stderr.write('x' * 65536)
