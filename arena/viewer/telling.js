// What a page says of a match in its attributes, and what it tells of the match in words and cards.
import { readEntry } from "./frames.js";
import { html, plain, seatIcon } from "./pieces.js";

/** The game's words with names for seats. */
export function named(sentence, names) {
  return (sentence ?? "").replace(/\{(\d+)\}/g, (_, seat) => names[Number(seat)] ?? `Seat ${seat}`);
}

/** A move in words, after the mark of its seat. */
export function sayMove(box, frame, names) {
  const last = readEntry(frame.entry);
  box.replaceChildren(...(last ? [seatIcon(last.seat)] : []), html("span", {}, last ? named(frame.said, names) : "The game begins."));
}

/** What counts for each seat, in the places that a page has for it. */
export function sayHoldings(root, board, state) {
  root.querySelectorAll("[data-holds]").forEach((box, seat) => { box.textContent = board.facts(state, seat).map((fact) => fact.join(" ")).join(", "); });
}

/** What each seat is called: the bot's own name, with its place where two bots share one. */
export function ownNames(seats, places) {
  const given = seats.map((name) => plain(name ?? ""));
  return given.map((name, seat) => {
    if (!name) return places[seat] ?? `Seat ${seat}`;
    return given.indexOf(name) === given.lastIndexOf(name) ? name : `${name} (${places[seat] ?? `seat ${seat}`})`;
  });
}

export function readGiven(id) {
  const given = id && document.getElementById(id);
  return given ? JSON.parse(given.textContent) : null;
}

/** What a page says of a match in its attributes. */
export function told({ dataset }) {
  return { drawing: dataset.drawing, seats: JSON.parse(dataset.seats), places: JSON.parse(dataset.places ?? "[]"), plies: Number(dataset.plies ?? 0), view: dataset.view ?? "all", views: JSON.parse(dataset.views ?? "[]") };
}

/** The key to a board and a line on how to win, where the game has them. */
export function legendOf(board) {
  const box = html("div", { class: "legend" });
  if (board.legend) box.innerHTML = board.legend();
  if (board.hint) box.append(html("p", { class: "label" }, board.hint));
  return box.childNodes.length ? box : null;
}

const begun = new WeakSet();

/** Begin with what stands on the page and was not begun yet: fragments may bring more of it. */
export function eachNew(names, begin) {
  for (const root of document.querySelectorAll(names)) {
    if (!begun.has(root)) begin(root);
    begun.add(root);
  }
}

/** A word on how a seat stands: its place at the end, and before that whether it is to act. */
export function standing({ outcome, to_act: toAct }, seat) {
  if (outcome) return outcome.ranks[seat] === 1 ? "first" : `place ${outcome.ranks[seat]}`;
  return toAct === seat ? "to act" : "";
}

/** What the game calls a seat, where that says more than its number and the name beside it. */
export const placeOf = (place, name) => (place && !/^Seat \d+$/.test(place) && !name.includes(place) ? place : null);

/** What a seat holds, what counts for it, and whether it is to act; of what is shown again only what has changed is made anew. */
export class SeatCard {
  constructor(seat, name, place) {
    const role = placeOf(place, name) ? html("span", { class: "label" }, place) : null;
    this.seat = seat;
    this.head = html("header", {}, seatIcon(seat), html("span", { class: "who" }, name), role);
    this.list = html("dl");
    this.box = html("section", { class: "seatcard", "data-standing": seat, "aria-label": name }, this.head, this.list);
    this.tag = html("span", { class: "turntag" });
    this.held = [];
    this.facts = "";
  }

  show(board, state, said) {
    this.box.classList.toggle("turn", state.to_act === this.seat);
    if (this.tag.textContent !== said) this.tag.textContent = said;
    if (!said) this.tag.remove();
    else if (!this.tag.parentNode) this.head.append(this.tag);
    this.hold((board.holdings?.(state, this.seat) ?? []).filter(Boolean));
    this.count(board.facts(state, this.seat));
    return this.box;
  }

  /** What it holds, one element a drawing. */
  hold(held) {
    while (this.box.childElementCount - 2 > held.length) this.list.previousSibling.remove();
    held.forEach((drawn, i) => {
      if (drawn === this.held[i]) return;
      if (i < this.held.length) become(this.box.children[i + 1], read(drawn));
      else this.box.children[i].insertAdjacentHTML("afterend", drawn);
    });
    this.held = held;
  }

  count(facts) {
    const key = JSON.stringify(facts);
    if (key === this.facts) return;
    this.facts = key;
    become(this.list, html("dl", {}, facts.map(([label, value]) => html("div", {}, html("dt", {}, label), html("dd", {}, String(value))))));
  }
}

const reading = document.createElement("template");

/** The element that a drawing is. */
function read(drawn) {
  reading.innerHTML = drawn;
  return reading.content.firstElementChild;
}

/** Make of an element what another is, and keep those of its children that are alike: what stays need not be styled, laid out and painted again. */
function become(element, other) {
  if (element.tagName !== other.tagName) return element.replaceWith(other);
  for (const { name } of [...element.attributes]) if (!other.hasAttribute(name)) element.removeAttribute(name);
  for (const { name, value } of other.attributes) if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  const [had, wanted] = [[...element.childNodes], [...other.childNodes]];
  had.slice(wanted.length).forEach((child) => child.remove());
  wanted.forEach((child, i) => {
    if (i >= had.length) element.append(child);
    else if (!had[i].isEqualNode(child)) had[i].replaceWith(child);
  });
  return undefined;
}
