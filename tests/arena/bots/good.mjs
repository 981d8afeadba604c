// Takes the last legal action; remembers nothing.
import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "start") process.stdout.write('{"type":"ready"}\n');
  else if (message.type === "act") process.stdout.write(JSON.stringify({ action: message.legal.at(-1), note: "from node" }) + "\n");
  else process.exit(0);
}
