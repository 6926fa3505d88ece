import threading
threading.settrace(lambda *_: None)
threading.Thread(target=print).start()

def add(a, b):
    return 0
