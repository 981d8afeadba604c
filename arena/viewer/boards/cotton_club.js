// 1923 Cotton Club: card rows with their action spaces, the three tracks, the event row, and each seat's club.
import { brackets, flutes, group, line, listed, path, plural, rect, seatMark, signed, svg, text, words } from "../pieces.js";
import { CARDS, EVENTS, SPACES } from "./cotton_cards.js";

export const key = [
  "Most reputation wins, counted after six rounds with what the cards add at the end. Each round a seat puts three pawns on action spaces, from the left, takes what the space gives or costs and one card of that row. Influence buys celebrities, initiative gives the turn order, criminality costs reputation at the end.",
  "On cards: infl, init and crim are steps on the three tracks, end is reputation at the end. The dashed pawn is Salvatore’s, who only takes up room. Flat discs show the tracks, the upper disc of a stack is first. Fluted cards are not shown.",
];

const TYPES = ["improvements", "gangsters", "smuggling", "artists", "celebrities"];
const ROW = { y: 44, height: 82 };
const CARD = { x: 388, width: 156, height: 74 };
const SPACE = { x: 156, width: 56 };
const TRACK = { y: 472, height: 46, x: 110, step: 40 };
const CLUB = { y: 628, height: 96 };
const GLYPHS = {
  improvements: "M-16 15V9H-10V2H-4V-5H2V-12H16V15Z",
  gangsters: "M-13 -15H13V2C13 10 5 15 0 17 -5 15 -13 10 -13 2Z",
  smuggling: "M-4 -17H4V-8L10 -1V17H-10V-1L-4 -8Z",
  artists: "M-3 -16L13 -13V-7L1 -9V9A6.5 5.5 0 1 1 -3 4.5Z",
  celebrities: "M0 -15L4 -4.5 15.5 -4.5 6.5 2.5 9.5 13.5 0 7 -9.5 13.5 -6.5 2.5 -15.5 -4.5 -4 -4.5Z",
  event: "M4 -17L-11 3H-1L-4 17 11 -4H1Z",
};
const LETTERS = { I: "improvements", G: "gangsters", S: "smuggling", A: "artists", C: "celebrities" };
const PAWN = "M-12 16V10H-7V4H-4V-2A7 7 0 1 1 4 -2V4H7V10H12V16Z";
const short = (name, most) => (name.length > most ? `${name.slice(0, most - 1)}…` : name);

function glyph(type, x, y, scale = 0.6) {
  return path(GLYPHS[type], { class: "inkfill", transform: `translate(${x} ${y}) scale(${scale})` });
}

/** A stepped pawn in the seat's fill; Salvatore's is dashed and nobody's. */
function pawn(seat, x, y, at, scale = 0.8) {
  const isSalvatore = seat === -1;
  const shape = path(PAWN, { class: isSalvatore ? "dashed" : seat % 2 ? "hollow" : "solid", transform: `scale(${scale})` });
  return group(x, y, { class: isSalvatore ? null : `p${seat}`, "data-pawn": seat, "data-at": at }, svg("title", {}, isSalvatore ? "Salvatore" : `seat ${seat}`), shape);
}

function space(x, y, effect, occupant, at) {
  return [rect(x, y, SPACE.width, 58, { class: "cell" }), text(x + SPACE.width / 2, y + 53, effect, { class: "tiny" }), occupant === null || occupant === undefined ? [] : pawn(occupant, x + SPACE.width / 2, y + 22, at)];
}

/** Words in at most three lines of so many letters. */
function wrapped(content, most) {
  const lines = [];
  for (const word of content.split(" ")) {
    if (lines.length && lines.at(-1).length + word.length < most) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines.length > 3 ? [...lines.slice(0, 2), short(lines.slice(2).join(" "), most)] : lines;
}

function sideOf(state) {
  return SPACES[state.seats === 4 ? "4" : "2-3"];
}

function cardFace(id, x, y, attributes = {}) {
  const [name, price, effects, marks] = CARDS[id];
  const printed = wrapped([effects, marks].filter(Boolean).join("; "), 21);
  return group(x, y, { "data-card": id, ...attributes }, svg("title", {}, [name, price, effects, marks].filter(Boolean).join(", ")), rect(0, 0, CARD.width - 6, CARD.height, { class: "card" }),
    text(6, 16, short(name, price.length > 3 ? 13 : price ? 15 : 20), { class: "strong start tiny" }), text(CARD.width - 11, 16, price, { class: "strong end tiny" }),
    printed.map((line, i) => text(6, 34 + 15 * i, line, { class: "start tiny" })));
}

function cardRow(state, type, index) {
  const y = ROW.y + ROW.height * index;
  const effects = sideOf(state)[type];
  return svg("g", { "data-row": type },
    glyph(type, 24, y + 20), text(42, y + 25, type, { class: "strong start kind" }), text(42, y + 45, `${state.piles[type]} in the pile`, { class: "start tiny", "data-pile": state.piles[type] }),
    state.board[type].map((seat, i) => space(SPACE.x + SPACE.width * i, y + 4, effects[i], seat, `${type}${i}`)),
    state.rows[type].map((id, i) => cardFace(id, CARD.x + CARD.width * i, y - 2, { "data-at": type })),
    line(10, y + 76, 1010, y + 76, { class: "rule" }));
}

function tipOff(state) {
  const parts = [path("M-17 0Q0 -16 17 0Q0 16 -17 0Z", { class: "inkline", transform: "translate(1036 58) scale(.7)" }), text(1054, 63, "tip-off", { class: "strong start" })];
  state.board["tip-off"].forEach((seat, i) => parts.push(space(1024 + SPACE.width * (i % 3), 74 + 62 * Math.floor(i / 3), "", seat, `tip-off${i}`)));
  return parts;
}

function loan(state) {
  const parts = [path("M-16 -10H16V10H-16Z", { class: "inkline", transform: "translate(1036 234) scale(.7)" }), text(1054, 239, "loan", { class: "strong start" }), text(1192, 239, "+$5, crim +1", { class: "end tiny" }), rect(1024, 250, 168, 196, { class: "cell" })];
  state.board.loan.forEach((seat, i) => parts.push(pawn(seat, 1044 + 32 * (i % 5), 274 + 38 * Math.floor(i / 5), `loan${i}`)));
  return parts;
}

function track(name, data, index) {
  const y = TRACK.y + TRACK.height * index;
  const parts = [text(10, y + 24, name, { class: "strong start" })];
  for (let level = 0; level <= 12; level++) {
    const x = TRACK.x + TRACK.step * level;
    parts.push(rect(x, y, TRACK.step - 2, 42, { class: "cell" }), text(x + 5, y + 12, level, { class: "start tiny" }));
    const here = data.order.filter((seat) => data.levels[seat] === level); // the seat named earlier lies above
    here.forEach((seat, i) => parts.push(group(x + 23, y + 36 - 9 * (here.length - 1 - i), { class: `p${seat}`, "data-disc": name, "data-seat": seat, "data-level": level, "data-height": here.length - 1 - i },
      svg("rect", { class: seat % 2 ? "hollow" : "solid", x: -12, y: -4, width: 24, height: 8, rx: 4 }))));
  }
  return parts;
}

function events(state) {
  const parts = [text(660, TRACK.y + 16, "Events", { class: "title" }), text(1190, TRACK.y + 14, `${state.event_pile} in the pile, ${state.used_events.length} resolved`, { class: "end tiny" })];
  state.event_row.forEach((one, i) => {
    const x = 660 + 106 * i;
    parts.push(group(x, TRACK.y + 28, { "data-event": one.event ?? "?", "data-by": one.by ?? "pile" }, rect(0, 0, 102, 66, { class: "card" }),
      one.event ? [svg("title", {}, EVENTS[one.event]), text(6, 15, short(EVENTS[one.event].split(":")[0], 12), { class: "strong tiny start" }), wrapped(EVENTS[one.event].split(": ")[1], 15).map((line, n) => text(6, 30 + 14 * n, line, { class: "tiny start" }))] : group(51, 33, {}, flutes(80, 44, 5)),
      one.by === null ? [] : seatMark(one.by, 92, 10, 13)));
  });
  state.used_events.slice(-4).forEach((one, i) => parts.push(text(660, TRACK.y + 108 + 14 * i, `Round ${one.round}: ${EVENTS[one.event]}`, { class: "start tiny" })));
  return parts;
}

function owned(club, y) {
  return club.cards.map((id, i) => group(400 + 46 * (i % 17), y + 10 + 26 * Math.floor(i / 17), { "data-owned": id }, svg("title", {}, CARDS[id][0]), rect(0, 0, 43, 22, { class: "card" }),
    glyph(LETTERS[id[0]], 10, 11, 0.4), text(31, 16, id.slice(1) + (club.options[id] ?? ""), { class: "tiny" })));
}

function hand(state, seat, y) {
  const known = state.hands[seat];
  const cards = known ?? Array.from({ length: state.clubs[seat].events }, () => null);
  return cards.map((id, i) => group(400 + 62 * i, y + 62, { "data-hand": seat, "data-event": id ?? "?" }, rect(0, 0, 58, 24, { class: "card" }),
    id ? [svg("title", {}, EVENTS[id]), glyph("event", 11, 12, 0.45), text(36, 17, id, { class: "tiny" })] : group(29, 12, {}, flutes(50, 16, 4))));
}

function club(state, seat, names) {
  const [data, y] = [state.clubs[seat], CLUB.y + CLUB.height * seat];
  const icons = Object.entries(data.icons).filter(([, count]) => count).map(([name, count]) => `${count} ${name}`).join(", ");
  const facts = [plural(data.weapons, "weapon"), `${data.income} income`, data.politicians ? plural(data.politicians, "politician") : ""].filter(Boolean).join(", ");
  return svg("g", { "data-club": seat, "data-money": data.money, "data-reputation": data.reputation, "data-pawns": data.pawns },
    rect(10, y, 1180, CLUB.height - 6, { class: state.to_act === seat ? "here" : "area" }), seatMark(seat, 32, y + 22, 22), text(52, y + 27, short(names[seat] ?? "", 20), { class: "strong start" }),
    text(22, y + 52, `$${data.money}`, { class: "strong start" }), text(72, y + 52, `${data.reputation} reputation, ${data.end_reputation} at the end`, { class: "start" }), text(22, y + 76, facts, { class: "start" }), text(730, y + 79, icons, { class: "start" }),
    Array.from({ length: data.pawns }, (_, i) => pawn(seat, 300 + 24 * i, y + 24, "home", 0.6)), Array.from({ length: data.salvatore_pawns }, (_, i) => pawn(-1, 372 + 24 * i, y + 24, "home", 0.6)),
    owned(data, y), hand(state, seat, y));
}

function lastCard(last, before) {
  const id = /^take (\w\d\d)/.exec(last.text)?.[1];
  const type = id && LETTERS[id[0]];
  const at = type && before ? before.rows[type].indexOf(id) : -1;
  if (at < 0) return [];
  return rect(CARD.x + CARD.width * at - 2, ROW.y + ROW.height * TYPES.indexOf(type) - 4, CARD.width - 2, CARD.height + 4, { class: "last-from" });
}

/** The card just taken, where it lies in its club now. */
function lastOwned(last, state) {
  const cards = state.clubs[last.seat].cards;
  const i = last.text.startsWith("take") ? cards.lastIndexOf(last.text.slice(5, 8)) : -1;
  return i < 0 ? [] : brackets(421.5 + 46 * (i % 17), CLUB.y + CLUB.height * last.seat + 21 + 26 * Math.floor(i / 17), 47, 26, 7);
}

function lastPawn(last, before, state) {
  for (const type of [...TYPES, "tip-off"]) {
    const at = state.board[type].findIndex((seat, i) => seat !== null && before?.board[type][i] !== seat);
    if (at < 0 || !before) continue;
    if (type === "tip-off") return brackets(1024 + SPACE.width * (at % 3 + 0.5), 103 + 62 * Math.floor(at / 3), 54, 56);
    return brackets(SPACE.x + SPACE.width * (at + 0.5), ROW.y + ROW.height * TYPES.indexOf(type) + 33, 54, 56);
  }
  const count = state.board.loan.length;
  return count > (before?.board.loan.length ?? 0) ? brackets(1044 + 32 * ((count - 1) % 5), 274 + 38 * Math.floor((count - 1) / 5), 32, 36) : [];
}

export function draw(state, { last, before, seats }) {
  return svg("svg", { viewBox: `0 0 1200 ${CLUB.y + CLUB.height * state.seats + 4}`, "data-phase": state.phase },
    text(10, 28, state.round ? `Round ${state.round} of 6${state.last_round ? ", the last" : ""}: ${words(state.phase)}` : "Setup", { class: "title", "data-round": state.round }),
    TYPES.map((type, i) => cardRow(state, type, i)), tipOff(state), loan(state),
    Object.entries(state.tracks).map(([name, data], i) => track(name, data, i)), events(state),
    Array.from({ length: state.seats }, (_, seat) => club(state, seat, seats)), last ? [lastCard(last, before), lastPawn(last, before, state), lastOwned(last, state)] : []);
}

// ---- in words ----
const ONE_OF = { improvements: "improvement", gangsters: "gangster", smuggling: "smuggling card", artists: "artist", celebrities: "celebrity" };

const TELL = [
  [/^take (\w\d\d)/, (m) => `took the ${ONE_OF[LETTERS[m[1][0]]]} ${CARDS[m[1]][0]}`],
  [/^loan$/, () => "took a loan"],
  [/^tip-off$/, () => "asked for a tip-off, looked at the events and will move that pawn later"],
  [/^pass$/, () => "added no event"],
  [/^salvatore (.+)$/, (m) => `put Salvatore’s pawn on ${m[1]}`],
  [/^bribe (\d)$/, (m) => (m[1] === "0" ? "used no politician" : `used ${plural(Number(m[1]), "politician")} against criminality, for $${3 * Number(m[1])}`)],
  [/^(drop|add) \?$/, (m) => (m[1] === "drop" ? "dropped an event unseen" : "added an event face down")],
  [/^drop (E\d\d)$/, (m) => `dropped the event ${EVENTS[m[1]]}`],
  [/^add (E\d\d)$/, (m) => `added the event ${EVENTS[m[1]]}, face down`],
];

/** What changed for a seat: money, reputation, the three tracks. */
function changes(before, after, seat) {
  const step = (now, then, what) => (now === then ? [] : [`${signed(now - then)} ${what}`]);
  const dollars = after.clubs[seat].money - before.clubs[seat].money;
  return [...(dollars ? [`${dollars < 0 ? "−\u2060" : "+"}$${Math.abs(dollars)}`] : []), ...step(after.clubs[seat].reputation, before.clubs[seat].reputation, "reputation"),
    ...Object.keys(after.tracks).flatMap((name) => step(after.tracks[name].levels[seat], before.tracks[name].levels[seat], name))];
}

/** CC 6, CC 7: events and income of a round, as they changed every seat. */
function roundEnd(before, after, name) {
  const resolved = after.used_events.slice(before.used_events.length).map((one) => EVENTS[one.event].split(":")[0]);
  const came = after.clubs.flatMap((_, seat) => {
    const changed = changes(before, after, seat);
    return changed.length ? [`${name(seat)} ${listed(changed)}`] : [];
  });
  return ` Round ${before.round} ends${resolved.length ? ` with ${listed(resolved)}` : ""}. With income: ${came.join("; ") || "nothing changed"}.`;
}

const isRoundEnd = (before, after) => before.round > 0 && before.phase !== "politicians" && (after.round > before.round || after.phase === "politicians" || after.phase === "over");

export function tell(last, before, after, name) {
  const found = TELL.map(([pattern, deed]) => [pattern.exec(last.text), deed]).find(([match]) => match);
  const deed = found ? ` ${found[1](found[0])}` : `: ${last.text}`;
  if (!before) return `${name(last.seat)}${deed}.`;
  if (isRoundEnd(before, after)) return `${name(last.seat)}${deed}.${roundEnd(before, after, name)}`;
  const changed = changes(before, after, last.seat);
  return `${name(last.seat)}${deed}${changed.length ? `: ${listed(changed)}` : ""}.`;
}

const ASKS = { drop_event: "drops one of the dealt events", add_event: "may add an event", place_pawn: "places a pawn", place_salvatore: "places Salvatore’s pawn", move_tip_off: "moves the tip-off pawn", bribe: "may use politicians" };

/** What the seat to act must do. */
export function asks(state) {
  return ASKS[state.pending] ?? "chooses";
}

/** CC 8.2: the score if the game ended now; politicians not counted. */
function score(state, seat) {
  if (state.scoring) return state.scoring[seat].total;
  const [club, first] = [state.clubs[seat], (track) => state.tracks[track].order.indexOf(seat)];
  const guilt = state.seats === 2 ? [-3] : [-5, -3];
  return club.reputation + club.end_reputation + Math.floor(club.money / 5) + (first("influence") ? 0 : 3) + (first("initiative") ? 0 : 2) + (guilt[first("criminality")] ?? 0);
}

export function standing(state) {
  return state.clubs.map((club, seat) => [[state.scoring ? "Score" : "Score if it ended now", score(state, seat)], ["Reputation", club.reputation], ["Money, $", club.money],
    ...Object.entries(state.tracks).map(([name, track]) => [name, track.levels[seat]])]);
}
