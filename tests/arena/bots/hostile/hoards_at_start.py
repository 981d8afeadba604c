hoard = []
while True:
    hoard.append(bytearray(b"x") * 4_000_000)
