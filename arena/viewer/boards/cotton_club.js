// 1923 Cotton Club: card rows with their action spaces, the three tracks, the event row, and each seat's club.
import { brackets, flutes, group, line, path, plural, rect, seatMark, svg, text, words } from "../pieces.js";
import { CARDS, EVENTS, SPACES } from "./cotton_cards.js";

export const key = "Pawns stand on action spaces from the top; the dashed pawn is Salvatore’s. Flat discs show the tracks, the upper disc of a stack is first. Fluted cards are not shown.";

const TYPES = ["improvements", "gangsters", "smuggling", "artists", "celebrities"];
const ROW = { y: 44, height: 66 };
const CARD = { x: 372, width: 158, height: 58 };
const TRACK = { y: 392, height: 46, x: 110, step: 40 };
const CLUB = { y: 548, height: 96 };
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
  return [rect(x, y, 58, 50, { class: "cell" }), text(x + 29, y + 46, effect, { class: "tiny" }), occupant === null || occupant === undefined ? [] : pawn(occupant, x + 29, y + 20, at)];
}

function sideOf(state) {
  return SPACES[state.seats === 4 ? "4" : "2-3"];
}

function cardFace(id, x, y, attributes = {}) {
  const [name, price, effects, marks] = CARDS[id];
  return group(x, y, { "data-card": id, ...attributes }, svg("title", {}, [name, price, effects, marks].filter(Boolean).join(", ")), rect(0, 0, CARD.width - 6, CARD.height, { class: "card" }),
    text(6, 16, short(name, price ? 18 : 22), { class: "strong start tiny" }), text(CARD.width - 11, 16, price, { class: "strong end tiny" }),
    text(6, 33, short(effects, 27), { class: "start tiny" }), text(6, 49, short(marks, 27), { class: "start tiny" }));
}

function cardRow(state, type, index) {
  const y = ROW.y + ROW.height * index;
  const effects = sideOf(state)[type];
  return svg("g", { "data-row": type },
    glyph(type, 24, y + 20), text(40, y + 25, type, { class: "strong start kind" }), text(40, y + 43, `${state.piles[type]} in the pile`, { class: "start tiny", "data-pile": state.piles[type] }),
    state.board[type].map((seat, i) => space(136 + 58 * i, y, effects[i], seat, `${type}${i}`)),
    state.rows[type].map((id, i) => cardFace(id, CARD.x + CARD.width * i, y - 2, { "data-at": type })),
    line(10, y + 60, 1010, y + 60, { class: "rule" }));
}

function tipOff(state) {
  const parts = [path("M-17 0Q0 -16 17 0Q0 16 -17 0Z", { class: "inkline", transform: "translate(1036 58) scale(.7)" }), text(1054, 63, "tip-off", { class: "strong start" })];
  state.board["tip-off"].forEach((seat, i) => parts.push(space(1020 + 58 * (i % 3), 74 + 54 * Math.floor(i / 3), "", seat, `tip-off${i}`)));
  return parts;
}

function loan(state) {
  const parts = [path("M-16 -10H16V10H-16Z", { class: "inkline", transform: "translate(1036 210) scale(.7)" }), text(1054, 215, "loan", { class: "strong start" }), text(1194, 215, "$+5, crim +1", { class: "end tiny" }), rect(1020, 226, 174, 130, { class: "cell" })];
  state.board.loan.forEach((seat, i) => parts.push(pawn(seat, 1042 + 32 * (i % 5), 248 + 38 * Math.floor(i / 5), `loan${i}`)));
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
    parts.push(group(x, TRACK.y + 28, { "data-event": one.event ?? "?", "data-by": one.by ?? "pile" }, rect(0, 0, 100, 50, { class: "card" }),
      one.event ? [svg("title", {}, EVENTS[one.event]), text(50, 15, short(EVENTS[one.event].split(":")[0], 16), { class: "strong tiny" }), EVENTS[one.event].split(": ")[1].split(" ").map((word, n) => text(50, 30 + 13 * n, word, { class: "tiny" }))] : group(50, 25, {}, flutes(80, 34, 5)),
      one.by === null ? [] : seatMark(one.by, 90, 9, 13)));
  });
  state.used_events.slice(-4).forEach((one, i) => parts.push(text(660, TRACK.y + 98 + 14 * i, `Round ${one.round}: ${EVENTS[one.event]}`, { class: "start tiny" })));
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

function lastPawn(last, before, state) {
  for (const type of [...TYPES, "tip-off"]) {
    const at = state.board[type].findIndex((seat, i) => seat !== null && before?.board[type][i] !== seat);
    if (at < 0 || !before) continue;
    if (type === "tip-off") return brackets(1049 + 58 * (at % 3), 99 + 54 * Math.floor(at / 3), 56, 48);
    return brackets(165 + 58 * at, ROW.y + ROW.height * TYPES.indexOf(type) + 25, 56, 48);
  }
  const count = state.board.loan.length;
  return count > (before?.board.loan.length ?? 0) ? brackets(1042 + 32 * ((count - 1) % 5), 248 + 38 * Math.floor((count - 1) / 5), 32, 36) : [];
}

export function draw(state, { last, before, seats }) {
  return svg("svg", { viewBox: `0 0 1200 ${CLUB.y + CLUB.height * state.seats + 4}`, "data-phase": state.phase },
    text(10, 28, state.round ? `Round ${state.round}${state.last_round ? ", the last" : ""}: ${words(state.phase)}` : "Setup", { class: "title", "data-round": state.round }),
    TYPES.map((type, i) => cardRow(state, type, i)), tipOff(state), loan(state),
    Object.entries(state.tracks).map(([name, data], i) => track(name, data, i)), events(state),
    Array.from({ length: state.seats }, (_, seat) => club(state, seat, seats)), last ? [lastCard(last, before), lastPawn(last, before, state)] : []);
}

const TELL = [
  [/^take (\w\d\d)(?: (\w))?$/, (m) => `took ${CARDS[m[1]][0]}${m[2] ? ` with option ${m[2]}` : ""}`],
  [/^loan$/, () => "took a loan"],
  [/^tip-off$/, () => "asked for a tip-off and looked at the events"],
  [/^pass$/, () => "added no event"],
  [/^salvatore (.+)$/, (m) => `put Salvatore’s pawn on ${m[1]}`],
  [/^bribe (\d)$/, (m) => (m[1] === "0" ? "bribed no politician" : `bribed ${plural(Number(m[1]), "politician")}`)],
  [/^(drop|add) \?$/, (m) => (m[1] === "drop" ? "dropped an event unseen" : "added an event face down")],
  [/^drop (E\d\d)$/, (m) => `dropped ${EVENTS[m[1]]}`],
  [/^add (E\d\d)$/, (m) => `added ${EVENTS[m[1]]}`],
];

export function tell(last) {
  for (const [pattern, sentence] of TELL) {
    const found = pattern.exec(last.text);
    if (found) return `Seat ${last.seat} ${sentence(found)}.`;
  }
  return `Seat ${last.seat}: ${last.text}.`;
}
