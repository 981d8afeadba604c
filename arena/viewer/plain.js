// A game without a drawing of its own: its table as its words tell it, and what each seat has of the public values.
import { html } from "./pieces.js";

export const style = "plain";

/** The table as text, in the letters that keep columns upright. */
export function element(state, frame) {
  return html("pre", { class: "plaintable" }, frame.table ?? "");
}

const isValue = (value) => ["number", "string", "boolean"].includes(typeof value);

/** Lists that have one plain value for each seat: what a seat has of them. */
export function facts(state, seat) {
  const lists = Object.entries(state).filter(([, value]) => Array.isArray(value) && value.length === state.seats && value.every((one) => one === null || isValue(one)));
  return lists.map(([name, value]) => [name.replaceAll("_", " "), value[seat] ?? "?"]);
}
