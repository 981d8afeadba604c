import sys
import time

from seat import play, say

play()
say({"action": "take1"})
sys.stderr.write("still here\n")
while True:
    say({"action": "after the end"})
    time.sleep(0.01)
