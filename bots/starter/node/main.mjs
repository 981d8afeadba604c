// A bot for any of the games, in JavaScript: it answers with any legal action. Write `choose`.
import { createInterface } from "node:readline";

/** One of `legal`, byte for byte; `observation` is what your seat knows (the game's rules page names every field). */
function choose({ observation, legal }) {
  return legal[Math.floor(Math.random() * legal.length)];
}

const answer = (message) => process.stdout.write(JSON.stringify(message) + "\n");
const log = (...words) => console.error(...words); // stdout belongs to the referee, stderr to you

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "start") {
    log(`seat ${message.seat} of ${message.seats} at ${message.game}`);
    answer({ type: "ready" });
  } else if (message.type === "act") {
    answer({ action: choose(message) });
  } else if (message.type === "end") {
    process.exit(0);
  }
}
