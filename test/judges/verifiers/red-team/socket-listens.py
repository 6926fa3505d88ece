import socket
server = socket.socket()
server.bind(('127.0.0.1', 0))
server.listen()
def add(a, b):
    return a + b
