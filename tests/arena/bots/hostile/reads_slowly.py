"""Takes its question in byte by byte, with a rest after each; it is never done."""

import os
import time

from seat import hear, say

hear()
say({"type": "ready"})
while os.read(0, 1):
    time.sleep(0.02)
