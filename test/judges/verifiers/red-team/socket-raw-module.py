import _socket
_socket.socket()
def add(a, b):
    return a + b
