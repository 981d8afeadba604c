// Gatsby: the cabaret's 36 cells, the finance centre's floors, the racetrack's five tracks, and what each seat holds.
import { brackets, flutes, group, line, listed, path, plural, rect, seatMark, svg, text } from "../pieces.js";

export const seatNames = ["Dorothy", "James"];
export const key = [
  "Three characters of one family win at once, and so does one of each family; otherwise the most stars. A character shows its family’s shape and its stars; fluted or in a dashed frame, it lies face down. Cabaret: a chain of tokens from top to bottom, from side to side, or the four double rings win its characters. Racetrack: a full track gives its character to the seat with more tokens.",
  "Boxed letters are bonuses: X look at two characters and swap them or not, A advance in the finance centre, I one more token, S swap two tokens, F choose the other’s next action, D draw specials.",
];

const CELL = 52;
const CABARET = { x: 34, y: 60 };
const TOWER = { x: 400, floor: 19, top: 20, y: 462 };
const RACE = { x: 560, y: 50, cell: 30, row: 50 };
const STRIP = { y: 556, height: 62 };
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
const ACTIONS = { // a tile has room for 28 letters
  M1: "two cabaret tokens in touch", M2: "a cabaret token, an advance", M3: "an advance, a track token", M4: "tokens on two tracks",
  S1: "two cabaret tokens", S2: "a chain of three, cabaret", S3: "a cabaret token, swap tokens", S4: "a token anywhere in cabaret", S5: "cabaret, advance, track", S6: "two advances",
  S7: "characters, advance, swap", S8: "two tokens on one track", S9: "tokens on three tracks", S10: "swap tokens, a track token", S11: "a token on any track cell",
};
const BONUSES = { X: "look at two characters and swap them or not", A: "an advance", I: "one more token", S: "swap two tokens", F: "choose the other’s next action", D: "draw specials" };

const CABARET_PLACES = [["K1", "top to bottom"], ["K2", "side to side"], ["K3", "four circles"]];

/** Where a place for a character is drawn. */
function placePoint(name) {
  const number = Number(name.slice(1));
  if (name[0] === "K") return [90 + 100 * (number - 1), 412];
  if (name[0] === "F") return [TOWER.x + 88, TOWER.y - TOWER.floor * number - 10];
  return [RACE.x + RACE.cell * 5 + 26, RACE.y + RACE.row * (number - 1) + 22];
}

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
  for (let n = 0; n < 6; n++) parts.push(text(CABARET.x + CELL * (n + 0.5), CABARET.y - 6, n, { class: "tiny" }), text(CABARET.x - 10, CABARET.y + CELL * (n + 0.5) + 4, n, { class: "tiny" }));
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
  parts.push(...CABARET_PLACES.map(([name, label]) => place(state, name, ...placePoint(name), label)));
  return parts;
}

function finance(state) {
  const parts = [text(TOWER.x - 40, 32, "Finance centre", { class: "title" })];
  for (let floor = 0; floor <= 20; floor++) {
    const y = TOWER.y - TOWER.floor * floor;
    const isPlace = `F${floor}` in state.places;
    parts.push(rect(TOWER.x - 14, y - TOWER.floor, 72, TOWER.floor, { class: isPlace ? "here" : "cell" }), text(TOWER.x + 22, y - 5, floor, { class: isPlace ? "strong tiny" : "tiny" }));
    if (isPlace) parts.push(place(state, `F${floor}`, ...placePoint(`F${floor}`), FLOOR_BONUSES[floor] ?? "", [28, 4]));
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
      if (TRACK_BONUSES[i][n] && tokens !== null) parts.push(text(x, y + 5, TRACK_BONUSES[i][n], { class: "bonus" }));
      const standing = tokens?.[n - 1] ?? ".";
      if (standing !== ".") parts.push(token(Number(standing), x, y, { "data-token": standing, "data-cell": `t${i + 1}${n}`, "data-key": `t${i + 1}${n}` }));
    }
    parts.push(text(RACE.x - 10, y + 5, i + 1, { class: "tiny" }), place(state, `R${i + 1}`, ...placePoint(`R${i + 1}`), "", [0, 0]), tokens === null ? text(RACE.x + RACE.cell * LENGTHS[i] / 2, y + 4, "closed", { class: "tiny" }) : []);
  });
  return parts;
}

function actionTile(name, y, state, isLast) {
  const isMarked = state.marker === name;
  return svg("g", { "data-action": name, "data-marked": isMarked ? "yes" : null },
    rect(RACE.x - 16, y, 236, 26, { class: isMarked ? "here" : "card" }), text(RACE.x - 9, y + 18, name, { class: "strong start" }),
    text(RACE.x + 20, y + 17, ACTIONS[name] ?? "", { class: "tiny start" }), isLast ? brackets(RACE.x + 102, y + 13, 244, 34, 8) : []);
}

function actions(state, last) {
  const names = ["M1", "M2", "M3", "M4", ...(state.marker?.startsWith("S") ? [state.marker] : [])];
  const notes = [state.forced ? `${state.forced} must be chosen next` : "", `${plural(state.pile, "special")} in the pile`].filter(Boolean);
  return [text(RACE.x - 16, 326, "Actions", { class: "title" }),
    names.map((name, i) => actionTile(name, 336 + 31 * i, state, last?.text === name)),
    notes.map((note, i) => text(RACE.x - 16, 336 + 31 * names.length + 14 + 17 * i, note, { class: "start" }))];
}

/** Words in lines of at most so many letters. */
function wrapped(words, most) {
  return words.split(" ").reduce((lines, word) => {
    if (lines.length && lines.at(-1).length + word.length < most) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
    return lines;
  }, []);
}

function special(name, x, y) {
  return group(x, y, { "data-special": name }, svg("title", {}, ACTIONS[name]), path("M-20 16V-4H-14V-10H-8V-16H20V16Z", { class: "card" }), text(1, 11, name, { class: "glyph small" }));
}

function strip(state, seat, name) {
  const y = STRIP.y + STRIP.height * seat;
  const short = name.length > 17 ? `${name.slice(0, 16)}…` : name;
  const parts = [rect(20, y - 30, 740, 56, { class: state.to_act === seat ? "here" : "area" }), seatMark(seat, 44, y - 2, 24),
    text(64, y - 8, short, { class: "strong start" }), token(seat, 76, y + 10, { transform: `translate(76 ${y + 10}) scale(.6)` }),
    text(92, y + 15, `${state.supply[seat]} left, floor ${state.floors[seat]}`, { class: "start", "data-supply": state.supply[seat], "data-seat": seat })];
  if (state.slots[seat]) parts.push(special(state.slots[seat], 250, y - 2), wrapped(ACTIONS[state.slots[seat]], 19).map((line, i) => text(278, y - 5 + 14 * i, line, { class: "start tiny" })));
  state.aside[seat].forEach((one, i) => parts.push(svg("g", { opacity: 0.75 }, special(one, 420 + 46 * i, y - 2))));
  const held = state.claimed[seat];
  parts.push(text(508, y + 3, held.length ? "" : "no character yet", { class: "start" }));
  held.forEach((one, i) => parts.push(character(one.character, 528 + 44 * i, y - 2, { "data-claimed": seat, "data-face": one.face }),
    one.face === "down" && one.character !== "?" ? rect(509 + 44 * i, y - 22, 38, 40, { class: "edge alley" }) : []));
  return parts;
}

const spotPoint = (spot) => (spot.startsWith("c") ? cabaretPoint(spot) : trackPoint(spot));
const mark = (spot) => brackets(...spotPoint(spot), spot.startsWith("c") ? 46 : 30, spot.startsWith("c") ? 46 : 40);
const markPlace = (place) => brackets(...placePoint(place), 44, 44);

/** Corner brackets around all that the last action touched. */
function lastPlaces(last, before, state) {
  const marks = state.floors.flatMap((floor, seat) => (before && floor !== before.floors[seat] ? [brackets(TOWER.x + (seat ? 46 : -2), TOWER.y - TOWER.floor * (floor + 0.5), 30, 22, 6)] : []));
  const [, isSwap, spot] = /^(s:)?([ct]\d\d)$/.exec(last.text) ?? [];
  if (spot) marks.push(mark(spot), isSwap && before?.pending?.ask === "swap_other" ? mark(before.pending.chosen[0]) : []);
  const place = /^x:([KFR]\d+)$/.exec(last.text)?.[1];
  if (place) marks.push(markPlace(place));
  if (["x_swap", "exchange_second"].includes(before?.pending?.ask)) marks.push(...before.pending.chosen.map(markPlace));
  const lane = /^t(\d)$/.exec(last.text)?.[1];
  const filled = lane ? filledOn(before, lane) + 1 : 0;
  if (filled) marks.push(mark(`t${lane}${filled}`));
  return marks;
}

/** How many cells of a track hold a token, from the left; a token may stand further right by S11. */
function filledOn(state, lane) {
  const cells = state?.tracks[lane - 1] ?? "";
  return cells.includes(".") ? cells.indexOf(".") : cells.length;
}

export function draw(state, { last, before, seats }) {
  return svg("svg", { viewBox: `0 0 790 ${STRIP.y + 2 * STRIP.height - 28}`, "data-phase": state.phase },
    cabaret(state), finance(state), racetrack(state), actions(state, last), [0, 1].map((seat) => strip(state, seat, seats[seat] ?? seatNames[seat])), last ? lastPlaces(last, before, state) : []);
}

// ---- in words ----
const spotWords = (spot) => (spot[0] === "c" ? `row ${spot[1]}, column ${spot[2]} of the cabaret` : `cell ${spot[2]} of track ${spot[1]}`);
const placeWords = (place) => ({ K: `the cabaret (${CABARET_PLACES.find(([name]) => name === place)?.[1]})`, F: `floor ${place.slice(1)}`, R: `track ${place.slice(1)}` })[place[0]];
const characterWords = (id) => (id === "?" ? "a face-down character" : `${/^[a-z]+/.exec(id)[0]} ${/\d/.exec(id)[0]}`);

function onCell(m, before) {
  const printed = m[1][0] === "c" ? before?.bonuses[m[1][1]][m[1][2]] : null;
  return `put a token on ${spotWords(m[1])}${printed === "o" ? ", one of the four circles" : ""}`;
}

function swapped(m, before) {
  if (before?.pending?.ask !== "swap_other") return `chose its token on ${spotWords(m[1])} to be swapped`;
  return `swapped it for the other’s token on ${spotWords(m[1])}`;
}

function takenUp(m, before) {
  if (before?.pending?.ask !== "exchange_second") return `takes up the character of ${placeWords(m[1])}`;
  return `exchanged it with the character of ${placeWords(m[1])}`;
}

const touched = (before) => listed((before?.pending?.chosen ?? []).map(placeWords)) || "two places";

const TELL = [
  [/^(M\d|S\d+)$/, (m) => `chose ${m[1]}: ${ACTIONS[m[1]]}`],
  [/^(c\d\d|t\d\d)$/, onCell],
  [/^t(\d)$/, (m, before) => `put a token on ${spotWords(`t${m[1]}${filledOn(before, m[1]) + 1}`)}`],
  [/^s:(\w+)$/, swapped],
  [/^x:stay/, (m, before) => `looked at the characters of ${touched(before)} and left them there`],
  [/^x:swap/, (m, before) => `swapped the characters of ${touched(before)}`],
  [/^\?$/, (m, before) => `looked at the characters of ${touched(before)}, and swapped them or not`],
  [/^x:(\w+)$/, takenUp],
  [/^take:(\w)$/, (m) => `uses the bonus ${m[1]}: ${BONUSES[m[1]]}`],
  [/^skip:(\w)$/, (m) => `let the bonus ${m[1]} go: ${BONUSES[m[1]]}`],
  [/^pick:(S\d+)$/, (m) => `kept the special ${m[1]}: ${ACTIONS[m[1]]}`],
  [/^keep:(S\d+)$/, (m) => `keeps special ${m[1]} to use and sets the other aside`],
  [/^force:(\w+)$/, (m) => `decides that the other must choose ${m[1]}: ${ACTIONS[m[1]]}`],
];

/** Characters a seat holds now and did not before. */
function gained(seat, before, after) {
  const had = before.claimed[seat].map((one) => one.character);
  return after.claimed[seat].map((one) => one.character).filter((id) => {
    const at = had.indexOf(id);
    if (at >= 0) had.splice(at, 1);
    return at < 0;
  });
}

/** What an action brought with it: floors climbed, characters claimed. */
function results(before, after, name) {
  const climbed = after.floors.flatMap((floor, seat) => (floor > before.floors[seat] ? [`${name(seat)} climbed to floor ${floor}`] : []));
  const emptied = Object.keys(after.places).filter((place) => before.places[place] && !after.places[place]);
  const from = emptied.length === 1 ? ` from ${placeWords(emptied[0])}` : "";
  const claims = [0, 1].flatMap((seat) => {
    const [count, news] = [after.claimed[seat].length - before.claimed[seat].length, gained(seat, before, after)];
    if (!count) return []; // at the end what was face down is shown, and is no news
    return [`${name(seat)} won ${news.length === count ? listed(news.map(characterWords)) : plural(count, "character")}${from}`];
  });
  return [...climbed, ...claims].map((one) => ` ${one}.`).join("");
}

export function tell(last, before, after, name) {
  for (const [pattern, deed] of TELL) {
    const found = pattern.exec(last.text);
    if (found) return `${name(last.seat)} ${deed(found, before)}.${before ? results(before, after, name) : ""}`;
  }
  return `${name(last.seat)}: ${last.text}.`;
}

const ASKS = {
  setup_pick: "keeps one of two specials", setup_circle: "puts the first token on a circle", action: "chooses an action", cabaret: "puts a token in the cabaret", cabaret_next: "puts a token next to the one just placed",
  cabaret_any: "puts a token anywhere in the cabaret", track: "puts a token on a track", track_cell: "puts a token on any track cell", influence: "puts a token anywhere", x_first: "chooses a character", x_second: "chooses a second character",
  x_swap: "swaps the two characters or not", exchange_first: "chooses a character to exchange", exchange_second: "chooses the character to exchange it with", swap_own: "chooses an own token to swap", swap_other: "chooses the other’s token", pick: "picks a special", keep: "says which special to keep", force: "chooses the other’s next action",
};

/** What the seat to act must do. */
export function asks(state) {
  const { ask, offers } = state.pending;
  return ask === "offer" ? `may use the bonus ${offers[0]}: ${BONUSES[offers[0]]}` : ASKS[ask] ?? "chooses";
}

function stars(state, seat) {
  const known = state.claimed[seat].map((one) => one.character).filter((id) => id !== "?");
  const sum = known.reduce((all, id) => all + Number(/\d/.exec(id)[0]), 0);
  return known.length === state.claimed[seat].length ? sum : `${sum} + ?`;
}

export function standing(state) {
  return [0, 1].map((seat) => [["Characters", state.claimed[seat].length], ["Stars", stars(state, seat)], ["Floor", state.floors[seat]], ["Tokens", state.supply[seat]]]);
}
