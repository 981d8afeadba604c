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

/** The mark of a seat for a line of text. */
export function seatIcon(seat) {
  const icon = svg("svg", { class: `mark p${seat}`, viewBox: "-17 -17 34 34", "aria-hidden": "true" });
  icon.innerHTML = MARKS[seat] ?? "";
  return icon;
}

/** Words of a key: `weapons_shop` reads as `weapons shop`. */
export function words(key) {
  return String(key).replaceAll("_", " ");
}

/** Somebody's text without characters that turn or hide what stands around it. */
export function plain(name) {
  return String(name).replace(/[\p{Cc}\p{Cf}]/gu, "");
}
