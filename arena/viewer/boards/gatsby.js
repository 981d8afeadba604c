// Gatsby: the cabaret's 36 cells, the finance centre's floors, the racetrack's five tracks, and what each seat holds.
import { brackets, flutes, group, line, path, plural, rect, seatMark, svg, text } from "../pieces.js";

export const seatNames = ["Dorothy", "James"];
export const key = "Solid disc: Dorothy. Ring with a dot: James. A character shows its family’s shape and its stars; fluted ones lie face down. Boxed letters are bonuses, double rings the cabaret’s circles.";

const CELL = 52;
const CABARET = { x: 20, y: 50 };
const TOWER = { x: 400, floor: 19, top: 20, y: 462 };
const RACE = { x: 560, y: 50, cell: 30, row: 50 };
const LENGTHS = [5, 5, 5, 3, 3];
const TRACK_BONUSES = [{ 3: "X", 5: "F" }, { 3: "I", 5: "S" }, { 3: "A", 5: "D" }, { 3: "X" }, { 3: "I" }];
const FLOOR_BONUSES = { 5: "S", 7: "X", 10: "D", 12: "I", 15: "F" };
const FAMILIES = {
  blue: ["p3", "M0 -17L15 0 0 17 -15 0Z"],
  red: ["p1", "M0 -15L17 14H-17Z"],
  green: ["p0", "M-13 -13H13V13H-13Z"],
  yellow: ["p2", "M-15 0A15 15 0 1 1 15 0A15 15 0 1 1 -15 0Z"],
  purple: ["p4", "M-9 -15H9L17 0 9 15H-9L-17 0Z"],
};
const ACTIONS = {
  M1: "cabaret, cabaret", M2: "cabaret, advance", M3: "advance, track", M4: "track, track",
  S1: "two tokens in the cabaret", S2: "a chain of three", S3: "cabaret, swap", S4: "anywhere in the cabaret", S5: "cabaret, advance, track", S6: "advance twice",
  S7: "characters, advance, swap", S8: "two on one track", S9: "three tracks", S10: "swap, track", S11: "any track cell",
};
const BONUSES = { X: "characters", A: "advance", I: "influence", S: "swap tokens", F: "force", D: "draw" };

function cabaretPoint(name) {
  return [CABARET.x + CELL * (Number(name[2]) + 0.5), CABARET.y + CELL * (Number(name[1]) + 0.5)];
}

function trackPoint(name) {
  return [RACE.x + RACE.cell * (Number(name[2]) - 0.5), RACE.y + RACE.row * (Number(name[1]) - 1) + 22];
}

function token(seat, x, y, attributes = {}) {
  const mark = seat === 0 ? [svg("circle", { class: "solid", r: 14 })] : [svg("circle", { class: "hollow", r: 13 }), svg("circle", { class: "solid", r: 3 })];
  return group(x, y, { class: `p${seat}`, ...attributes }, mark);
}

function ascension(seat, x, y, attributes) {
  const arrow = path("M0 -16L15 2H6V16H-6V2H-15Z", { class: seat === 0 ? "solid" : "hollow", transform: "scale(.62)" });
  return group(x, y, { class: `p${seat}`, ...attributes }, arrow);
}

/** A character: its family's shape with the stars, or a fluted back. */
function character(id, x, y, attributes = {}) {
  if (!id || id === "?") return group(x, y, { "data-character": id ?? "none", ...attributes }, rect(-13, -17, 26, 34, { class: id ? "card" : "card taken" }), id ? flutes(26, 22, 3) : []);
  const family = /^[a-z]+(?=\d)/.exec(id)[0];
  const [seatClass, shape] = FAMILIES[family];
  const stars = id.slice(family.length, family.length + 1);
  return group(x, y, { class: seatClass, "data-character": id, ...attributes }, svg("title", {}, `${family}, ${plural(Number(stars), "star")}`),
    path(shape, { class: "solid" }), text(0, family === "red" ? 11 : 7, stars, { class: "glyph on" }));
}

function place(state, name, x, y, label, labelAt = [0, 32]) {
  const id = state.places[name];
  const isKnown = id === "?" && state.known[name];
  return svg("g", {}, character(isKnown ? state.known[name] : id, x, y, { "data-place": name, "data-face": id === "?" ? "down" : "up" }),
    id === "?" && isKnown ? rect(x - 19, y - 20, 38, 40, { class: "edge alley" }) : [], text(x + labelAt[0], y + labelAt[1], label, { class: "tiny" }));
}

function cabaret(state) {
  const parts = [text(CABARET.x, 32, "Cabaret", { class: "title" })];
  for (let r = 0; r < 6; r++) {
    for (let c = 0; c < 6; c++) {
      const [x, y] = cabaretPoint(`c${r}${c}`);
      const [printed, standing] = [state.bonuses[r][c], state.cabaret[r][c]];
      parts.push(rect(x - CELL / 2, y - CELL / 2, CELL, CELL, { class: "cell" }));
      if (printed === "o") parts.push(svg("circle", { class: "ring", cx: x, cy: y, r: 21 }), svg("circle", { class: "ring", cx: x, cy: y, r: 17 }));
      else if (printed !== ".") parts.push(rect(x - 24, y - 24, 15, 15, { class: "edge" }), text(x - 16.5, y - 12, printed, { class: "bonus tiny" }));
      if (standing !== ".") parts.push(token(Number(standing), x, y, { "data-token": standing, "data-cell": `c${r}${c}`, "data-key": `c${r}${c}` }));
    }
  }
  const middle = CABARET.y + 3 * CELL;
  parts.push(line(CABARET.x, middle, CABARET.x + 6 * CELL, middle, { class: "inkline" }), line(CABARET.x + 3 * CELL, CABARET.y, CABARET.x + 3 * CELL, CABARET.y + 6 * CELL, { class: "inkline" }));
  parts.push(place(state, "K1", 76, 402, "top to bottom"), place(state, "K2", 176, 402, "side to side"), place(state, "K3", 276, 402, "four circles"));
  return parts;
}

function finance(state) {
  const parts = [text(TOWER.x - 40, 32, "Finance centre", { class: "title" })];
  for (let floor = 0; floor <= 20; floor++) {
    const y = TOWER.y - TOWER.floor * floor;
    const isPlace = `F${floor}` in state.places;
    parts.push(rect(TOWER.x - 14, y - TOWER.floor, 72, TOWER.floor, { class: isPlace ? "here" : "cell" }), text(TOWER.x + 22, y - 5, floor, { class: isPlace ? "strong tiny" : "tiny" }));
    if (isPlace) parts.push(place(state, `F${floor}`, TOWER.x + 88, y - 10, FLOOR_BONUSES[floor] ?? "", [28, 4]));
    else if (FLOOR_BONUSES[floor]) parts.push(rect(TOWER.x + 66, y - 18, 17, 17, { class: "edge" }), text(TOWER.x + 74.5, y - 5, FLOOR_BONUSES[floor], { class: "bonus tiny" }));
  }
  state.floors.forEach((floor, seat) => {
    parts.push(ascension(seat, TOWER.x + (seat ? 46 : -2), TOWER.y - TOWER.floor * (floor + 0.5), { "data-floor": floor, "data-seat": seat, "data-key": `asc${seat}` }));
  });
  return parts;
}

function racetrack(state) {
  const parts = [text(RACE.x, 32, "Racetrack", { class: "title" })];
  state.tracks.forEach((tokens, i) => {
    const y = RACE.y + RACE.row * i + 22;
    for (let n = 1; n <= LENGTHS[i]; n++) {
      const [x] = trackPoint(`t${i + 1}${n}`);
      parts.push(rect(x - 15, y - 17, 30, 34, { class: tokens === null ? "cell alley" : "cell" }));
      if (TRACK_BONUSES[i][n]) parts.push(text(x, y + 5, TRACK_BONUSES[i][n], { class: "bonus" }));
      const standing = tokens?.[n - 1] ?? ".";
      if (standing !== ".") parts.push(token(Number(standing), x, y, { "data-token": standing, "data-cell": `t${i + 1}${n}`, "data-key": `t${i + 1}${n}` }));
    }
    parts.push(place(state, `R${i + 1}`, RACE.x + RACE.cell * 5 + 26, y, "", [0, 0]), tokens === null ? text(RACE.x + 48, y + 4, "closed", { class: "tiny" }) : []);
  });
  return parts;
}

function actionTile(name, x, y, state) {
  const isMarked = state.marker === name;
  return svg("g", { "data-action": name, "data-marked": isMarked ? "yes" : null },
    rect(x, y, 100, 36, { class: isMarked ? "here" : "card" }), text(x + 8, y + 15, name, { class: "strong start" }),
    text(x + 8, y + 29, ACTIONS[name], { class: "tiny start" }), isMarked ? brackets(x + 50, y + 18, 106, 42, 8) : []);
}

function actions(state) {
  const parts = [text(RACE.x, 328, "Actions", { class: "title" })];
  ["M1", "M2", "M3", "M4"].forEach((name, i) => parts.push(actionTile(name, RACE.x + 108 * (i % 2), 340 + 42 * Math.floor(i / 2), state)));
  if (state.marker?.startsWith("S")) parts.push(text(RACE.x, 440, `Marker on ${state.marker}: ${ACTIONS[state.marker]}`, { class: "start strong" }));
  if (state.forced) parts.push(text(RACE.x, 458, `Forced: ${state.forced}`, { class: "start strong" }));
  parts.push(text(RACE.x, 476, `${plural(state.pile, "special")} in the pile`, { class: "start" }));
  return parts;
}

function special(name, x, y) {
  return group(x, y, { "data-special": name }, svg("title", {}, ACTIONS[name]), path("M-20 16V-4H-14V-10H-8V-16H20V16Z", { class: "card" }), text(1, 11, name, { class: "glyph small" }));
}

function strip(state, seat) {
  const y = 520 + 62 * seat;
  const parts = [rect(20, y - 30, 740, 56, { class: state.to_act === seat ? "here" : "area" }), seatMark(seat, 44, y - 2, 24),
    text(64, y - 6, seatNames[seat], { class: "strong start" }), text(64, y + 13, `${plural(state.supply[seat], "token")} left`, { class: "start", "data-supply": state.supply[seat], "data-seat": seat })];
  if (state.slots[seat]) parts.push(special(state.slots[seat], 200, y - 2));
  state.aside[seat].forEach((name, i) => parts.push(svg("g", { opacity: 0.75 }, special(name, 252 + 46 * i, y - 2))));
  const held = state.claimed[seat];
  parts.push(text(452, y + 3, held.length ? "" : "no character yet", { class: "start" }));
  held.forEach((one, i) => parts.push(character(one.character, 462 + 44 * i, y - 2, { "data-claimed": seat, "data-face": one.face }),
    one.face === "down" && one.character !== "?" ? rect(443 + 44 * i, y - 22, 38, 40, { class: "edge alley" }) : []));
  return parts;
}

function lastPlace(last, state) {
  const spot = /^(?:s:)?(c\d\d|t\d\d)$/.exec(last.text)?.[1];
  if (spot?.startsWith("c")) return brackets(...cabaretPoint(spot), 46, 46);
  if (spot) return brackets(...trackPoint(spot), 30, 40);
  const track = /^t(\d)$/.exec(last.text)?.[1];
  if (!track) return [];
  const filled = state.tracks[track - 1]?.replaceAll(".", "").length ?? 0;
  return filled ? brackets(...trackPoint(`t${track}${filled}`), 30, 40) : [];
}

export function draw(state, { last }) {
  return svg("svg", { viewBox: "0 0 780 620", "data-phase": state.phase },
    cabaret(state), finance(state), racetrack(state), actions(state), strip(state, 0), strip(state, 1), last ? lastPlace(last, state) : []);
}

const TELL = [
  [/^(M\d|S\d+)$/, (name, m) => `${name} chose ${m[1]}: ${ACTIONS[m[1]]}.`],
  [/^(c\d\d)$/, (name, m) => `${name} put a token on ${m[1]}.`],
  [/^t(\d)$/, (name, m) => `${name} put a token on track ${m[1]}.`],
  [/^t(\d)(\d)$/, (name, m) => `${name} put a token on track ${m[1]}, cell ${m[2]}.`],
  [/^s:(\w+)$/, (name, m) => `${name} chose the token on ${m[1]} to swap.`],
  [/^x:stay/, (name) => `${name} left the two characters where they were.`],
  [/^x:swap/, (name) => `${name} swapped the two characters.`],
  [/^x:(\w+)$/, (name, m) => `${name} took the character of ${m[1]} in hand.`],
  [/^take:(\w)$/, (name, m) => `${name} used the bonus: ${BONUSES[m[1]]}.`],
  [/^skip:(\w)$/, (name, m) => `${name} let the bonus go: ${BONUSES[m[1]]}.`],
  [/^pick:(S\d+)$/, (name, m) => `${name} picked special ${m[1]}: ${ACTIONS[m[1]]}.`],
  [/^keep:(S\d+)$/, (name, m) => `${name} kept special ${m[1]} in the slot.`],
  [/^force:(\w+)$/, (name, m) => `${name} forces the other to choose ${m[1]}.`],
];

export function tell(last) {
  const name = seatNames[last.seat];
  if (last.text === "?") return `${name} swapped two hidden characters, or did not.`;
  for (const [pattern, sentence] of TELL) {
    const found = pattern.exec(last.text);
    if (found) return sentence(name, found);
  }
  return `${name}: ${last.text}.`;
}
