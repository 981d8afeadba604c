// Elements of the page around a board: made one by one, so that no text of a match is ever read as markup.
import { MARKS } from "./drawing.js";

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element; attributes that are null or false are left out, children may be strings. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** An HTML element, in the same way. */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

const seatIcons = new Map();

/** The mark of a seat for a line of text: one is made, the others are its copies. */
export function seatIcon(seat) {
  if (!seatIcons.has(seat)) {
    const made = svg("svg", { class: `mark p${seat}`, viewBox: "-17 -17 34 34", "aria-hidden": "true" });
    made.innerHTML = MARKS[seat] ?? "";
    seatIcons.set(seat, made);
  }
  return seatIcons.get(seat).cloneNode(true);
}

const ICONS = {
  first: "M2 2h2v12H2zM14 2v12L5 8z",
  back: "M12 2v12L3 8z",
  play: "M3 1l11 7-11 7z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
  on: "M4 2v12l9-6z",
  last: "M12 2h2v12h-2zM2 2v12l9-6z",
};

/** What stands on a button of the transport. */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

/** Somebody's text without characters that turn or hide what stands around it. */
export function plain(name) {
  return String(name).replace(/[\p{Cc}\p{Cf}]/gu, "");
}
