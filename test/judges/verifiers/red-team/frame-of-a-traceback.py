def add(a, b):
    try:
        raise ValueError
    except ValueError as error:
        frame = error.__traceback__.tb_frame.f_back
        return frame.f_code.co_consts
