import threading, time
threading.Thread(target=time.sleep, args=(3600,)).start()

def add(a, b):
    time.sleep(3600)
