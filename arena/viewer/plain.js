// A game without a drawing of its own: its table as its words tell it, and in the seats' cards what its words name.
import { html } from "./pieces.js";

export const style = "plain";

let bySeat = []; // of the game that is shown: fields with one value for each seat

/** The table as text, in the letters that keep columns upright. */
export function element(state, frame) {
  bySeat = frame.by_seat ?? [];
  return html("pre", { class: "plaintable" }, frame.table ?? "");
}

const isValue = (value) => ["number", "string", "boolean"].includes(typeof value);

/** What a seat has of the fields that the game's words name; what this viewer may not know is a question mark. */
export function facts(state, seat) {
  return bySeat.map((name) => [name.replaceAll("_", " "), state[name]?.[seat]]).map(([label, value]) => [label, isValue(value) ? value : "?"]);
}
