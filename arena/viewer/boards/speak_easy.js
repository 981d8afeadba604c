// Speak Easy: the city of 60 cells, its streets, alleys, buildings and bars, with 25 pieces a side.
import { brackets, flutes, group, line, path, rect, svg, text, way } from "../pieces.js";

export const seatNames = ["South", "North"];
export const firstPly = 50; // the pieces are placed; what a spectator wants to see first
export const key = [
  "Who enters the other’s Speakeasy, the door, wins. Of two numbers the higher takes the lower: 8 Boss, 7 Heir, 6 Accountant, 5 Corrupt cop, 4 Car, 3 Machine gunner, 2 Gunman, 1 Henchman; equals go together. F FBI takes anyone along; so does B Babe, who never moves, but a Kid takes her. K Kid loses to every number and runs round corners.",
  "Solid: South. Outlined: North. Fluted: not shown. Double line: street, to run along. Ring: building, safe. Stepped: bar. Dashed: alley. Small pieces: removed.",
];

const COLUMNS = "abcde";
const NAMES = { 8: "Boss", 7: "Heir", 6: "Accountant", 5: "Corrupt cop", 4: "Car", 3: "Machine gunner", 2: "Gunman", 1: "Henchman", K: "Kid", B: "Babe", F: "FBI", S: "Speakeasy" };
const [W, H] = [50, 34];
const TRAY = 62;

const columnOf = (cell) => COLUMNS.indexOf(cell[0]);
const rowOf = (cell) => Number(cell.slice(1));
const xOf = (cell) => 62 + 84 * columnOf(cell);
const yOf = (cell) => TRAY + (rowOf(cell) <= 6 ? 635 - 51 * (rowOf(cell) - 1) : 301 - 51 * (rowOf(cell) - 7));
const cellAt = (column, row) => (column >= 0 && column < 5 && row >= 1 && row <= 12 ? COLUMNS[column] + row : null);
const CELLS = Array.from({ length: 60 }, (_, i) => cellAt(i % 5, Math.floor(i / 5) + 1));

/** SE 1.1: the map of the nearer half, mirrored for the other. */
function sortOf(cell) {
  const [column, row] = [columnOf(cell), rowOf(cell)];
  const near = row <= 6 ? row : 13 - row;
  if (near === 1) return column % 2 ? "bar" : "alley";
  if (near === 2 || near === 6 || column === 0 || column === 4) return "street";
  return (column + near) % 2 === 0 ? "building" : "alley";
}

/** SE 1.2: orthogonal neighbours but two, and the diagonals of buildings. */
function lines() {
  const found = [];
  for (const cell of CELLS) {
    const [c, r] = [columnOf(cell), rowOf(cell)];
    for (const [dc, dr] of [[1, 0], [0, 1], [1, 1], [-1, 1]]) {
      const other = cellAt(c + dc, r + dr);
      if (!other) continue;
      const isDiagonal = dc !== 0 && dr !== 0;
      const crossesMiddle = r === 6 && dr === 1 && (isDiagonal || c % 2 === 1);
      if (crossesMiddle || (isDiagonal && sortOf(cell) !== "building" && sortOf(other) !== "building")) continue;
      found.push([cell, other]);
    }
  }
  return found;
}

const STREETS = [["a2", "e2"], ["a6", "e6"], ["a7", "e7"], ["a11", "e11"], ["a2", "a11"], ["e2", "e11"], ["c6", "c7"]];
const LINES = lines();

/** SE 1.3: neighbours along street segments. */
function streetNeighbours(cell) {
  if (sortOf(cell) !== "street") return [];
  const [c, r] = [columnOf(cell), rowOf(cell)];
  const along = [];
  if ([2, 6, 7, 11].includes(r)) along.push(cellAt(c - 1, r), cellAt(c + 1, r));
  if (c === 0 || c === 4 || (c === 2 && (r === 6 || r === 7))) along.push(cellAt(c, r - 1), cellAt(c, r + 1));
  return along.filter((other) => other && sortOf(other) === "street" && !(c === 2 && rowOf(other) !== r && ![6, 7].includes(rowOf(other))));
}

function drawCell(cell) {
  const [x, y, sort] = [xOf(cell), yOf(cell), sortOf(cell)];
  if (sort === "building") return [svg("circle", { class: "cell", cx: x, cy: y, r: 21 }), svg("circle", { class: "ring", cx: x, cy: y, r: 25 })];
  if (sort === "bar") {
    const [l, b] = [x - W / 2, y + H / 2];
    return [path(`M${l} ${b}V${b - 26}H${l + 6}V${b - 32}H${l + 12}V${b - 38}H${l + 38}V${b - 32}H${l + 44}V${b - 26}H${l + 50}V${b}Z`, { class: "bar-cell" })];
  }
  return [rect(x - W / 2, y - H / 2, W, H, { class: sort === "alley" ? "cell alley" : "cell" })];
}

function ground() {
  const bent = (cell) => sortOf(cell) === "street";
  const isStreet = ([a, b]) => bent(a) && bent(b) && streetNeighbours(a).includes(b);
  return svg("g", {},
    rect(26, TRAY + 16, 408, 648, { class: "ground" }),
    LINES.filter((pair) => !isStreet(pair)).map(([a, b]) => line(xOf(a), yOf(a), xOf(b), yOf(b), { class: "way" })),
    ["street", "streetmid"].map((name) => STREETS.map(([a, b]) => line(xOf(a), yOf(a), xOf(b), yOf(b), { class: name }))),
    CELLS.flatMap(drawCell),
    [...COLUMNS].map((letter) => text(xOf(`${letter}1`), TRAY + 680, letter, { class: "coord" })),
    Array.from({ length: 12 }, (_, i) => text(13, yOf(`a${i + 1}`) + 4, i + 1, { class: "coord" })));
}

function body(kind) {
  if (kind === "K") return svg("circle", { class: "body", r: 18 });
  if (kind === "B") return path("M-16 -17H16L25 17H-25Z", { class: "body" });
  if (kind === "F") return path("M-16 -17H16L25 0L16 17H-16L-25 0Z", { class: "body" });
  if (kind === "S") return path("M-17 17V-2A17 15 0 0 1 17 -2V17Z", { class: "body" });
  return rect(-W / 2, -H / 2, W, H, { class: "body" });
}

function face(kind) {
  if (!kind) return flutes(42, 24);
  if (kind === "S") return [rect(-7, -6, 14, 4, { class: "slot" }), svg("circle", { class: "slot", cx: 8, cy: 6, r: 2 })];
  return [text(0, kind === "B" ? 10 : 9, kind)];
}

function drawPiece(piece, x, y, scale = 1) {
  const title = `${seatNames[piece.seat]} ${piece.kind ? NAMES[piece.kind] : "unknown"}${piece.cell ? ` on ${piece.cell}` : ", removed"}`;
  return svg("g", {
    class: `piece s${piece.seat}${piece.kind ? "" : " hidden"}`,
    transform: `translate(${x} ${y})${scale === 1 ? "" : ` scale(${scale})`}`,
    "data-key": scale === 1 ? `${piece.seat}${piece.home}` : null,
    "data-piece": piece.kind ?? "?", "data-seat": piece.seat, "data-cell": piece.cell ?? "removed", "data-home": piece.home,
  }, svg("title", {}, title), body(piece.kind), face(piece.kind));
}

/** SE 4.5: the way a Kid ran is not told, so the shortest free one is drawn. */
function runPath(from, to, pieces) {
  const taken = new Set(pieces.filter((piece) => piece.cell).map((piece) => piece.cell));
  const cameFrom = new Map([[from, null]]);
  const queue = [from];
  while (queue.length && !cameFrom.has(to)) {
    const cell = queue.shift();
    for (const next of streetNeighbours(cell)) {
      if (cameFrom.has(next) || (taken.has(next) && next !== to)) continue;
      cameFrom.set(next, cell);
      queue.push(next);
    }
  }
  if (!cameFrom.has(to)) return [from, to];
  const steps = [];
  for (let cell = to; cell; cell = cameFrom.get(cell)) steps.unshift(cell);
  return steps;
}

function readMove(last) {
  const found = last && /^([a-e]\d+)-([a-e]\d+)(?: (\w)x(\w))?/.exec(last.text);
  return found ? { seat: last.seat, from: found[1], to: found[2], attacker: found[3], defender: found[4] } : null;
}

function drawMove(move, before) {
  const isLine = LINES.some(([a, b]) => (a === move.from && b === move.to) || (b === move.from && a === move.to));
  const points = (isLine ? [move.from, move.to] : runPath(move.from, move.to, before.pieces)).map((cell) => [xOf(cell), yOf(cell)]);
  return [rect(xOf(move.from) - 24, yOf(move.from) - 16, 48, 32, { class: "last-from" }), way(points, 26)].flat();
}

/** Pieces out of the game, beside their owner's rear row: the first row of them nearest to the map. */
function tray(pieces, seat, before, name) {
  const gone = pieces.filter((piece) => piece.seat === seat && !piece.cell);
  const [near, step, label] = seat === 1 ? [TRAY - 2, -24, 14] : [TRAY + 704, 24, TRAY + 754];
  const at = (i) => [42 + 31.5 * (i % 13), near + step * Math.floor(i / 13)];
  const isFresh = (piece) => before?.pieces.some((was) => was.cell && was.seat === seat && was.home === piece.home);
  const short = name.length > 24 ? `${name.slice(0, 23)}…` : name;
  return [
    text(26, label, name === seatNames[seat] ? name : `${seatNames[seat]}: ${short}`, { class: "strong start" }), text(434, label, gone.length ? `${gone.length} of 25 lost` : "none lost", { class: "end" }),
    gone.map((piece, i) => drawPiece(piece, ...at(i), 0.56)),
    gone.map((piece, i) => (isFresh(piece) ? brackets(...at(i), 33, 24, 6) : [])),
  ];
}

export function draw(state, { last, before, seats }) {
  const move = readMove(last);
  const standing = state.pieces.filter((piece) => piece.cell);
  const pending = state.pending?.place;
  return svg("svg", { viewBox: `0 0 460 ${TRAY + 762}`, "data-phase": state.phase },
    ground(),
    move && before ? drawMove(move, before) : [],
    standing.map((piece) => drawPiece(piece, xOf(piece.cell), yOf(piece.cell))),
    tray(state.pieces, 0, before, seats[0] ?? seatNames[0]), tray(state.pieces, 1, before, seats[1] ?? seatNames[1]),
    move ? brackets(xOf(move.to), yOf(move.to), 60, 44) : [],
    pending ? rect(xOf(pending) - 27, yOf(pending) - 19, 54, 38, { class: "last-from" }) : []);
}

const call = (kind) => (kind ? `${NAMES[kind]}${/\d/.test(kind) ? ` (${kind})` : ""}` : "hidden piece");

/** What came of a confrontation; `mine` and `theirs` are the pieces with their owners. */
const RESULTS = {
  attacker: (mine, theirs, to) => `${mine} took ${theirs} on ${to}.`,
  defender: (mine, theirs, to) => `${mine} attacked ${theirs} on ${to} and was lost.`,
  both: (mine, theirs, to) => `${mine} attacked ${theirs} on ${to}: both are gone.`,
  speakeasy: (mine, theirs, to) => `${mine} entered ${theirs} on ${to} and won the game.`,
};

function tellPlacing(last, before, who) {
  const where = before?.pending ? ` on ${before.pending.place}` : "";
  return last.text === "?" ? `${who} placed a hidden piece${where}.` : `${who} placed the ${call(last.text)}${where}.`;
}

export function tell(last, before, after, name) {
  const [who, move] = [name(last.seat), readMove(last)];
  if (!move) return tellPlacing(last, before, who);
  const kind = move.attacker ?? before?.pieces.find((piece) => piece.cell === move.from)?.kind;
  if (!move.attacker) {
    const safe = sortOf(move.to) === "building" ? ", into a building, where it is safe" : "";
    return `${who}’s ${call(kind)} went from ${move.from} to ${move.to}${safe}.`;
  }
  const result = after.confrontations.at(-1)?.split(" ").at(-1);
  return RESULTS[result](`${who}’s ${call(kind)} from ${move.from}`, `${name(1 - last.seat)}’s ${call(move.defender)}`, move.to);
}

/** What the seat to act must do. */
export function asks(state) {
  return state.phase === "setup" ? `places a piece on ${state.pending.place}` : "moves a piece";
}

export function standing(state) {
  return [0, 1].map((seat) => {
    const own = state.pieces.filter((piece) => piece.seat === seat);
    const left = own.filter((piece) => piece.cell);
    return [["On the map", left.length], ["Lost", own.length - left.length], ["Seen by the other", left.filter((piece) => piece.shown).length]];
  });
}
