import subprocess

def add(a, b):
    return int(subprocess.check_output(['expr', str(a), '+', str(b)]))
