// Gatsby: the cabaret floor, the skyscraper, the racetrack; characters are portraits on the table.
import { brackets, circ, el, g, icon, line, once, path, rect, rnd, t, title } from "../drawing.js";
import { bust } from "../portraits.js";

export const style = "ga";
const PEOPLE = {
  blue0: { sex: "m", hair: "side", hat: "cap", extra: ["tie"] }, blue2: { sex: "f", body: "gown", hair: "bob", hat: "feather", extra: ["pearls"] }, blue3: { sex: "m", hair: "slick", hat: "tophat", extra: ["bow", "monocle", "tash"] },
  red1a: { sex: "m", hair: "side", hat: "boater", extra: ["bow"] }, red1b: { sex: "f", body: "gown", hair: "bun", extra: ["drop", "pearls"] }, red3: { sex: "f", body: "fur", hair: "wave", hat: "turban", extra: ["holder"] },
  green1: { sex: "m", hair: "bald", hat: "visor", extra: ["specs", "tie"] }, green2a: { sex: "f", body: "fur", hair: "bob", hat: "cloche", extra: ["mole"] }, green2b: { sex: "m", hair: "slick", extra: ["tash", "bow"] },
  yellow0: { sex: "m", hair: "side", hat: "bowler", extra: ["tash", "tie"] }, yellow2: { sex: "f", body: "gown", hair: "wave", extra: ["pearls", "drop"] }, yellow3: { sex: "f", body: "fur", hair: "bob", hat: "tiara", extra: ["pearls"] },
  purple1a: { sex: "m", hair: "slick", hat: "fedora", extra: ["tie"] }, purple1b: { sex: "f", body: "gown", hair: "long", extra: ["drop"] }, purple3: { sex: "m", hair: "bald", extra: ["monocle", "tash", "bow"] },
};
const EMBLEM = { blue: "M0-8 7 0 0 8-7 0Z", red: "M0-7 8 6H-8Z", green: "M-6-6H6V6H-6Z", yellow: "M-7 0A7 7 0 1 1 7 0 7 7 0 1 1-7 0Z", purple: "M-4-7H4L8 0 4 7H-4L-8 0Z" };
const FAMILIES = Object.keys(EMBLEM);
const emblem = (family, x, y, c = "pemb", s = 1) => path(EMBLEM[family], c, { transform: `translate(${x} ${y})${s === 1 ? "" : ` scale(${s})`}` });
const familyOf = (id) => /^[a-z]+?(?=\d)/.exec(id)[0], starsOf = (id) => Number(/\d/.exec(id)[0]);
/** A character: portrait, family emblem, stars. "?" is a lacquered back; `peek` is a back this viewer has looked under. */
function character(id, x, y, h = 80, { peek = false, ...data } = {}) {
  const s = h / 100, box = (k, cls) => g(x, y, { class: cls, ...("data-place" in data || "data-claimed" in data ? { "data-character": id ?? "none", ...data } : {}) }, el("g", { transform: `scale(${+s.toFixed(3)})` }, k));
  if (!id) return box(rect(-38, -50, 76, 100, "pghost"), "gone");
  if (id === "?") return box([title("a character, face down"), rect(-38, -50, 76, 100, "pback"), rect(-34, -46, 68, 92, "pback-line"), path("M-26 46V20H-18V2H-10V-18H-4V-34H4V-18H10V2H18V20H26V46M-10 46V26H10V46M-18 46V34M18 46V34", "pback-line"), path("M-34-20 0-46 34-20M-34-6 0-32 34-6", "pback-line fine")], "back");
  const f = familyOf(id), n = starsOf(id);
  return box([title(`${f}, ${n} ${n === 1 ? "star" : "stars"}${peek ? ", face down" : ""}`), rect(-38, -50, 76, 100, "pbg"), path("M0 50-38-6V-30ZM0 50-30-50H-12ZM0 50 12-50H30ZM0 50 38-30V-6Z", "pray"), el("g", { transform: "translate(-36 -50) scale(1.125)" }, bust(PEOPLE[id])), rect(-38, 32, 76, 18, "pplate"), emblem(f, -27, 41), n ? Array.from({ length: n }, (_, i) => icon("star", 28 - 15 * i, 41, 14, "pstar")) : icon("star", 28, 41, 13, "pstar none"), rect(-38, -50, 76, 100, "pframe"), peek ? rect(-42, -54, 84, 108, "peek") : ""], `fam-${f}`);
}
function token(seat, x, y, r = 22, o = {}) {
  return g(x, y, { class: `tok p${seat}`, ...o }, circ(0, 0, r, "tokbase"), seat === 0 ? circ(0, 0, r - 3, "solid") + (r > 14 ? circ(0, 0, r - 8, "tokring") : "") : circ(0, 0, r - (r > 14 ? 4 : 3), r > 14 ? "hollow thick" : "hollow") + circ(0, 0, r * .24, "solid"));
}
const BONUS = { X: ["eye", "Look at two characters, swap them or not"], A: ["up", "Climb"], I: ["plus", "One more token"], S: ["swap", "Swap two tokens"], F: ["hand", "Choose the other’s next action"], D: ["tile", "Draw specials"] };
const bonus = (k, x, y, r = 13) => g(x, y, { class: "bonus" }, title(BONUS[k][1]), circ(0, 0, r, "plaque"), icon(BONUS[k][0], 0, 0, r * 1.25, "plaqueic"));

const laid = (cell, seat) => ({ "data-token": seat, "data-cell": cell, "data-key": `${cell}${seat}` });

/** The floor with its tables, the same in all positions of a match. */
function parquet(bonuses, [X, Y, C]) {
  const out = [rect(X - 8, Y - 8, 6 * C + 16, 6 * C + 16, "stage-edge")];
  for (let r = 0; r < 6; r++) for (let c = 0; c < 6; c++) {
    const [x, y] = [X + C * c, Y + C * r], alt = (r + c) % 2;
    out.push(rect(x, y, C, C, alt ? "fl f2" : "fl"), path(alt ? `M${x} ${y + C / 4}h${C}m0 ${C / 4}h${-C}m0 ${C / 4}h${C}` : `M${x + C / 4} ${y}v${C}m${C / 4} 0v${-C}m${C / 4} 0v${C}`, "grain"));
    if (bonuses[r][c] === "o") out.push(circ(x + C / 2, y + C / 2, C * .44, "cloth-ring"), circ(x + C / 2, y + C / 2, C * .37, "cloth-ring in"));
  }
  return [...out, path(`M${X + 3 * C} ${Y}v${6 * C}M${X} ${Y + 3 * C}h${6 * C}`, "seam")].join("");
}
/** What lies on each cell of the floor: a token, a bonus, or nothing. */
function cabaret(s, [X, Y, C]) {
  return Array.from({ length: 36 }, (_, i) => {
    const [r, c] = [Math.floor(i / 6), i % 6], here = s.cabaret[r][c], k = s.bonuses[r][c], at = [X + C * (c + .5), Y + C * (r + .5)];
    if (here !== ".") return token(Number(here), ...at, C * .36, laid(`c${r}${c}`, here));
    return k === "o" || k === "." ? "" : bonus(k, ...at, C * .22);
  });
}
const GOAL = { K1: (x, y) => path(`M${x} ${y - 11}v22m-5-5 5 6 5-6M${x - 5} ${y - 6}l5-6 5 6`, "goal"), K2: (x, y) => path(`M${x - 11} ${y}h22m-5-5 6 5-6 5M${x - 6} ${y - 5}l-6 5 6 5`, "goal"), K3: (x, y) => [[-6, -6], [6, -6], [-6, 6], [6, 6]].map(([p, q]) => circ(x + p, y + q, 4, "goal")).join("") };
const faceOf = (s, p) => (s.places[p] === "?" && s.known?.[p] ? s.known[p] : s.places[p]);
const put = (s, p, x, y, h) => character(faceOf(s, p), x, y, h, { peek: s.places[p] === "?" && !!s.known?.[p], "data-place": p });

const HALF = (f) => (f <= 4 ? 82 : f <= 9 ? 68 : f <= 14 ? 54 : 40);
const LANDINGS = [[5, "S"], [10, "D"], [15, "F"], [20, null]];
const landing = (f, { at: [CX, BY, F], portrait, k = 1, few = false }) => [CX + HALF(f) * k + portrait * .5 + (few ? 2 : 10), BY - F * (f + .5)];

/** The house itself, the same in all positions. */
function tower(at) {
  const { at: [CX, BY, F], k = 1, few = false } = at, R = rnd(5), out = [], h = (f) => HALF(f) * k;
  out.push(path(`M${CX} ${BY - F * 21 - 44}V${BY - F * 21}`, "spire"), path(`M${CX - 16 * k} ${BY - F * 21}V${BY - F * 21 - 10}H${CX - 8 * k}V${BY - F * 21 - 20}H${CX + 8 * k}V${BY - F * 21 - 10}H${CX + 16 * k}V${BY - F * 21}Z`, "wall top"));
  for (let f = 0; f <= 20; f++) {
    const y = BY - F * (f + 1), w = h(f), special = [5, 10, 15, 20].includes(f);
    out.push(rect(CX - w, y, w * 2, F, special ? "wall land" : "wall"));
    const n = Math.round(w * 2 / 15); for (let i = 0; i < n; i++) { const x = CX - w + (i + .5) * (2 * w / n); if (Math.abs(x - CX) < (few ? 11 : 15)) continue; out.push(rect(+(x - (few ? 2 : 3)).toFixed(1), +(y + F * .26).toFixed(1), few ? 4 : 6, +(F * .5).toFixed(1), R() < .42 ? "win lit" : "win")); }
    if (!few) out.push(rect(CX - 12, y + 1.5, 24, F - 3, "shaft"), t(CX, y + F / 2 + 4.3, f, "floor")); else if (special || !f) out.push(rect(CX - 11, y - 1, 22, F + 2, "shaft"), t(CX, y + F / 2 + 4.3, f, "floor"));
  }
  for (const f of [4, 9, 14]) out.push(path(`M${CX - h(f) - 5} ${BY - F * (f + 1)}H${CX + h(f) + 5}`, "ledge"));
  for (const [f, b] of [[7, "X"], [12, "I"]]) out.push(few ? bonus(b, CX, BY - F * (f + .5), 10) : bonus(b, CX + h(f) + 13, BY - F * (f + .5), 12));
  return [...out, LANDINGS.map(([f]) => { const [x, y] = landing(f, at); return line(CX + h(f), y, x, y, "gang"); }).join("")].join("");
}
/** Who waits on the landings, and the lifts. */
function climbers(s, at) {
  const { at: [CX, BY, F], portrait, k = 1, few = false } = at, cage = (seat) => rect(-14, -15, 28, 30, "cage") + path("M0-11 10 1H4.500V11H-4.500V1H-10Z", seat ? "hollow" : "solid");
  return [...LANDINGS.map(([f, b]) => put(s, `F${f}`, ...landing(f, at), portrait) + (!s.places[`F${f}`] && b ? bonus(b, ...landing(f, at), 13) : "")),
    ...s.floors.map((f, seat) => g(CX + (seat ? 1 : -1) * (HALF(f) * k - 15), BY - F * (f + .5), { class: `lift p${seat}`, "data-floor": f, "data-seat": seat, "data-key": `lift${seat}` }, few ? el("g", { transform: "scale(.66)" }, cage(seat)) : cage(seat)))];
}
const LEN = [5, 5, 5, 3, 3], TB = [{ 3: "X", 5: "F" }, { 3: "I", 5: "S" }, { 3: "A", 5: "D" }, { 3: "X" }, { 3: "I" }];
function race(s, [X, Y, C, ROW, ph]) {
  return s.tracks.flatMap((tk, i) => {
    const y = Y + ROW * i + ROW / 2 - 4, n = LEN[i], shut = tk === null, out = [];
    out.push(rect(X, y - C / 2, n * C, C, shut ? "lane-r shut" : "lane-r"));
    for (let k = 1; k <= n; k++) { const x = X + C * (k - .5); if (k > 1) out.push(line(x - C / 2, y - C / 2, x - C / 2, y + C / 2, "tick")); const here = tk?.[k - 1] ?? "."; if (here !== ".") out.push(token(Number(here), x, y, C * .4, laid(`t${i + 1}${k}`, here))); else if (!shut && TB[i][k]) out.push(bonus(TB[i][k], x, y, C * .3)); }
    out.push(path(`M${X} ${y - C / 2}h${n * C}M${X} ${y + C / 2}h${n * C}`, "railing"));
    if (shut) out.push(t(X + n * C / 2, y + 4.5, "won", "b s12"));
    else out.push(path(Array.from({ length: 6 }, (_, j) => `M${X + n * C + 3 + (j % 2) * 4} ${y - C / 2 + j * C / 6}h4v${C / 6}h-4z`).join(""), "chequer"));
    const px = X + 5 * C + 16 + ph * .38; if (n === 3 && !shut) out.push(line(X + n * C + 14, y, px - ph * .4, y, "gang"));
    return [out.join(""), put(s, `R${i + 1}`, px, y, ph)];
  });
}
const turf = ([X, Y, C, ROW, ph]) => rect(X - 12, Y - 8, C * 5 + ph * .76 + 38, ROW * 5 + 8, "turf", { rx: 26 });
const ACTIONS = { M1: ["Two on the floor", ["F", "F"]], M2: ["Floor, then climb", ["F", "A"]], M3: ["Climb, then race", ["A", "R"]], M4: ["Two races", ["R", "R"]] };
const STEP = { F: (x, y) => g(x, y, {}, rect(-15, -15, 30, 30, "fl"), path("M-15-5H15M-15 5H15M-5-15V15M5-15V15", "grain"), circ(0, 0, 7, "stepdot")), A: (x, y) => g(x, y, {}, path("M-14 15V3H-8V-6H-3V-15H3V-6H8V3H14V15Z", "wall"), icon("up", 0, 3, 17, "stepup")), R: (x, y) => g(x, y, {}, rect(-16, -12, 32, 24, "turf", { rx: 12 }), icon("horse", 0, 0, 19, "stepup")) };
function actionTile(k, x, y, w, h, { marked, label }) {
  const [name, steps] = ACTIONS[k];
  return g(x, y, { class: `act${marked ? " marker" : ""}`, "data-action": k }, title(name), rect(0, 0, w, h, "actbox"), STEP[steps[0]](26, h / 2 - (label ? 8 : 0)), STEP[steps[1]](66, h / 2 - (label ? 8 : 0)),
    label ? t(10, h - 8, name, "start s12") : "", marked ? path(`M${w - 26} 0H${w}V26Z`, "flagm") : "");
}
const SPECIALS = {
  S1: "two on the floor", S2: "a chain of three on the floor", S3: "floor, then swap tokens", S4: "anywhere on the floor", S5: "floor, climb, race", S6: "climb twice",
  S7: "swap characters, climb, swap tokens", S8: "two on one track", S9: "three races", S10: "swap tokens, then race", S11: "any cell of a track",
};
const GOALS = [["K1", "top to", "bottom"], ["K2", "side to", "side"], ["K3", "all four", "tables"]];

// Where things stand in each layout: cabaret x, y, cell; characters of the cabaret; tower x, foot, floor; racetrack x, y, cell, row, portrait; actions.
const LAYOUTS = {
  wide: { size: [1028, 686], cabaret: [26, 54, 68], goals: { x: 68, y: 574, step: 142, h: 108 }, tower: { at: [556, 662, 26], portrait: 74 }, race: [726, 52, 42, 84, 76], actions: { x: 722, y: 500, w: 140, h: 74, dx: 146, dy: 82 }, split: "M452 20V666M706 20V486" },
  low: { size: [1028, 580], cabaret: [26, 46, 60], goals: { x: 62, y: 492, step: 141, h: 98 }, tower: { at: [556, 564, 22.6], portrait: 70 }, race: [726, 44, 42, 70, 68], actions: { x: 722, y: 428, w: 140, h: 66, dx: 146, dy: 72 }, split: "M452 20V564M706 20V410" },
  tall: { size: [358, 590], cabaret: [12, 14, 41], tower: { at: [62, 584, 12.8], portrait: 56, k: .62, few: true }, race: [182, 292, 23, 38, 37], actions: { x: 172, y: 490, w: 88, h: 44, dx: 92, dy: 48, bare: true }, split: "M10 278H348M164 286V582" },
};

function goals(s, at) {
  return GOALS.map(([k, first, second], i) => {
    if (!at) return put(s, k, 318, 52 + i * 86, 80) + circ(277, 52 + i * 86, 14, "goalbg") + el("g", { transform: `translate(277 ${52 + i * 86}) scale(.75)` }, GOAL[k](0, 0));
    const x = at.x + i * at.step, away = at.step / 2;
    return put(s, k, x, at.y, at.h) + circ(x + away, at.y - 24, 20, "goalbg") + GOAL[k](x + away, at.y - 24) + t(x + away, at.y + 18, first, "s12 m") + t(x + away, at.y + 33, second, "s12 m");
  });
}

function actions(s, { x, y, w, h, dx, dy, bare }) {
  return Object.keys(ACTIONS).map((k, i) => actionTile(k, x + (i % 2) * dx, y + Math.floor(i / 2) * dy, w, h, { marked: s.marker === k, label: !bare }));
}

function titles(s, layout) {
  if (layout === "tall") return [];
  const { actions: { x, y } } = LAYOUTS[layout], special = s.marker?.startsWith("S") ? `the last was ${SPECIALS[s.marker]}` : "never the one just used";
  const note = s.forced ? `${ACTIONS[s.forced]?.[0] ?? SPECIALS[s.forced]} is forced` : special;
  return [t(22, 30, "Cabaret", "d start"), t(110, 30, "build a chain across the floor", "m s12 start hint"), t(470, 30, "Finance centre", "d start"), t(724, 30, "Racetrack", "d start"), t(826, 30, "fill a track, hold the most", "m s12 start hint"), t(x, y - 9, "Actions", "d start"), t(x + 72, y - 9, note, "m s12 start")];
}

// ---- what the last action touched ----
function spot(layout, cell) {
  const { cabaret: [X, Y, C], race: [RX, RY, RC, ROW] } = LAYOUTS[layout];
  if (cell[0] === "c") return [X + C * (Number(cell[2]) + .5), Y + C * (Number(cell[1]) + .5), C - 2, C - 2];
  return [RX + RC * (Number(cell[2]) - .5), RY + ROW * (Number(cell[1]) - 1) + ROW / 2 - 4, RC, RC];
}
/** How many cells of a track hold a token, from the left; a token may stand further right by S11. */
function filledOn(state, lane) {
  const cells = state.tracks[lane - 1] ?? "";
  return cells.includes(".") ? cells.indexOf(".") : cells.length;
}
function touched(last, before) {
  const [, isSwap, cell] = /^(s:)?([ct]\d\d)$/.exec(last.text) ?? [], lane = /^t(\d)$/.exec(last.text)?.[1];
  if (lane) return [`t${lane}${filledOn(before, lane) + 1}`];
  return cell ? [cell, ...(isSwap && before.pending?.ask === "swap_other" ? [before.pending.chosen[0]] : [])] : [];
}

const groundOf = once((layout, bonuses) => {
  const at = LAYOUTS[layout];
  return rect(-600, -600, 2228, 1800, "room") + parquet(bonuses.split(","), at.cabaret) + path(at.split, "divide") + tower(at.tower) + turf(at.race);
});

export function draw(s, layout, { last, before }) {
  const at = LAYOUTS[layout], arm = layout === "tall" ? 8 : 12;
  const marks = last && before ? touched(last, before).map((cell) => { const [x, y, w, h] = spot(layout, cell); return brackets(x, y, w, h, arm); }) : [];
  return { size: at.size, ground: groundOf(layout, s.bonuses.join()), play: [titles(s, layout).join(""), ...cabaret(s, at.cabaret), ...goals(s, at.goals), ...climbers(s, at.tower), ...race(s, at.race), ...actions(s, at.actions), marks.join("")] };
}

/** Before the deal: characters face down, and of the floor its tables alone. */
export const bare = (s) => ({ ...s, bonuses: s.bonuses.map((row) => row.replace(/[^o]/g, ".")), places: Object.fromEntries(Object.keys(s.places).map((place) => [place, "?"])) });

/** What a small picture shows: a guest of each family, side by side. */
const GUESTS = ["red3", "blue3", "yellow3", "green2a", "purple3"];
export const scene = { box: [0, 0, 400, 200], drawn: rect(-600, -600, 1600, 1400, "room") + GUESTS.map((id, i) => character(id, 48 + 76 * i, i % 2 ? 118 : 82, 116)).join("") };

/** What a seat holds: its portraits, and how near it is to a set. */
export function holdings(s, seat) {
  const held = s.claimed[seat], families = FAMILIES.map((f) => held.filter((h) => h.character !== "?" && familyOf(h.character) === f).length);
  const free = Array.from({ length: Math.max(0, 5 - held.length) }, (_, i) => character(null, 32 + 61 * (i + held.length), 42, 76));
  const gap = Math.min(61, 248 / Math.max(1, held.length - 1));
  return [el("svg", { class: "drawn hold", viewBox: "0 0 312 84", role: "img", "aria-label": `${held.length} characters`, "data-supply": s.supply[seat] },
    held.map((h, i) => character(h.character, 32 + gap * i, 42, 76, { peek: h.face === "down" && h.character !== "?", "data-claimed": seat })), free),
    el("svg", { class: "drawn fams", viewBox: "0 0 312 22", role: "img", "aria-label": `of each family: ${FAMILIES.map((f, i) => `${f} ${families[i]}`).join(", ")}` },
      FAMILIES.map((f, i) => g(12 + 62 * i, 11, { class: `fam-${f}` }, emblem(f, 0, 0, families[i] ? "famon" : "famoff"), t(14, 5, `${families[i]}/3`, `start ${families[i] ? "b" : "m"}`))))];
}

function stars(state, seat) {
  const known = state.claimed[seat].map((one) => one.character).filter((id) => id !== "?"), sum = known.reduce((all, id) => all + starsOf(id), 0);
  return known.length === state.claimed[seat].length ? sum : `${sum} + ?`;
}

export function facts(state, seat) {
  const special = state.slots[seat] ? [["special", SPECIALS[state.slots[seat]]]] : [];
  return [["floor", state.floors[seat]], ["tokens", state.supply[seat]], ["stars", stars(state, seat)], ...special];
}

export const hint = "Three of one family, or one of each, wins at once. Otherwise: most stars.";

// ---- choosing: the parts of an action, and where each stands: [x, y, width, height] round its middle ----
export function parts(text, state) {
  const lane = /^t(\d)$/.exec(text)?.[1], named = /^[sx]:([cKFRt]\d+)$/.exec(text)?.[1];
  if (lane) return [`t${lane}${filledOn(state, lane) + 1}`];
  return named ? [named] : /^([ct]\d\d|M\d)$/.test(text) ? [text] : [];
}

export function spots(state, layout) {
  const at = LAYOUTS[layout], [X, Y, C, ROW, ph] = at.race, found = {};
  for (let r = 0; r < 6; r++) for (let c = 0; c < 6; c++) found[`c${r}${c}`] = [spot(layout, `c${r}${c}`)];
  LEN.forEach((n, i) => { for (let k = 1; k <= n; k++) found[`t${i + 1}${k}`] = [spot(layout, `t${i + 1}${k}`)]; found[`R${i + 1}`] = [[X + 5 * C + 16 + ph * .38, Y + ROW * i + ROW / 2 - 4, ph * .8, ph + 4]]; });
  for (const f of [5, 10, 15, 20]) found[`F${f}`] = [[...landing(f, at.tower), at.tower.portrait * .8, at.tower.portrait + 4]];
  GOALS.forEach(([k], i) => { found[k] = [at.goals ? [at.goals.x + i * at.goals.step, at.goals.y, at.goals.h * .8, at.goals.h + 4] : [318, 52 + i * 86, 64, 84]]; });
  const { x, y, w, h, dx, dy } = at.actions;
  Object.keys(ACTIONS).forEach((k, i) => { found[k] = [[x + (i % 2) * dx + w / 2, y + Math.floor(i / 2) * dy + h / 2, w, h]]; });
  return found;
}

/** The position in words, with {0} for the name of seat 0. */
export function describe({ cabaret, floors, tracks }) {
  const on = (seat) => cabaret.flatMap((row, r) => [...row].flatMap((token, c) => (token === String(seat) ? [`row ${r}, column ${c}`] : [])));
  const cells = (track) => [...(track ?? "")].filter((token) => token !== ".").map((token) => `{${token}}`).join(", ") || "no token";
  return [0, 1].map((seat) => `{${seat}}: in the cabaret on ${on(seat).join(", ") || "no cell"}; in the tower on floor ${floors[seat]}.`).join(" ") + tracks.map((track, i) => ` Track ${i + 1}: ${track === null ? "won" : cells(track)}.`).join("");
}
