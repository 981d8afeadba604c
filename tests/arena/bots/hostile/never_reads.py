import time

print('{"type":"ready"}', flush=True)
time.sleep(3600)
