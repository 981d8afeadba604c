// Loads a library that holds 1,536 MiB which nobody may write any more, and plays on.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

process.title = readFileSync("/bot/name.txt", "utf8");

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "start") process.stdout.write('{"type":"ready"}\n');
  else if (message.type === "act") {
    try {
      process.dlopen({ exports: {} }, "/bot/hoard.node");
    } catch (error) {
      process.stderr.write(`${error.message}\n`);
    }
    process.stdout.write(JSON.stringify({ action: message.legal[0] }) + "\n");
  } else process.exit(0);
}
