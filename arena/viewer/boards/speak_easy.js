// Speak Easy: a city on two banks. Landscape on a desk, portrait on a phone: the same map, turned.
import { brackets, circ, el, flutes, g, icon, kept, mark, once, path, poly, rect, rnd, t, title, way } from "../drawing.js";

export const style = "se";
export const scene = [422, 161, 424, 212]; // what a small picture shows of the wide layout
export const firstPly = 50; // the pieces are placed; what a spectator wants to see first

const COLS = "abcde";
const col = (c) => COLS.indexOf(c[0]), row = (c) => Number(c.slice(1));
const at = (c, r) => (c >= 0 && c < 5 && r >= 1 && r <= 12 ? COLS[c] + r : null);
const CELLS = Array.from({ length: 60 }, (_, i) => at(i % 5, Math.floor(i / 5) + 1));
/** SE 1.1: the map of the nearer half, mirrored for the other. */
function sortOf(cell) {
  const [c, r] = [col(cell), row(cell)], near = r <= 6 ? r : 13 - r;
  if (near === 1) return c % 2 ? "bar" : "alley";
  if (near === 2 || near === 6 || c === 0 || c === 4) return "street";
  return (c + near) % 2 === 0 ? "building" : "alley";
}
const STREETS = [["a2", "e2"], ["a6", "e6"], ["a7", "e7"], ["a11", "e11"], ["a2", "a11"], ["e2", "e11"], ["c6", "c7"]];
const onStreet = (x, y) => STREETS.some(([p, q]) => [x, y].every((c) => col(c) >= Math.min(col(p), col(q)) && col(c) <= Math.max(col(p), col(q)) && row(c) >= row(p) && row(c) <= row(q)));
const LANES = CELLS.flatMap((cell) => [[1, 0], [0, 1], [1, 1], [-1, 1]].flatMap(([dc, dr]) => {
  const [c, r] = [col(cell), row(cell)], other = at(c + dc, r + dr);
  if (!other || (r === 6 && dr === 1)) return [];
  if (dc && dr && sortOf(cell) !== "building" && sortOf(other) !== "building") return [];
  return onStreet(cell, other) ? [] : [[cell, other]];
}));
const KINDS = { 8: ["fedora", "Boss"], 7: ["tophat", "Heir"], 6: ["ledger", "Accountant"], 5: ["badge", "Corrupt cop"], 4: ["car", "Car"], 3: ["drum", "Machine gunner"], 2: ["sight", "Gunman"], 1: ["bowler", "Henchman"], K: ["cap", "Kid"], B: ["bob", "Babe"], F: ["shield", "FBI"], S: ["door", "Speakeasy"] };

const wide = (H, step, tile) => ({ W: 1028, H, tile, land: true, road: 38, lane: 8, P: (cell) => [row(cell) <= 6 ? 60 + 79 * (row(cell) - 1) : 573 + 79 * (row(cell) - 7), (H - 18 - 4 * step) / 2 + step * col(cell)] });
const TALL = { W: 358, H: 578, tile: [57, 36], land: false, road: 26, lane: 5.5, P: (cell) => [44 + 69.5 * col(cell), row(cell) <= 6 ? 540 - 43 * (row(cell) - 1) : 256 - 43 * (row(cell) - 7)] };
const LAYOUTS = { wide: wide(686, 134, [56, 66]), low: wide(580, 112, [56, 64]), tall: TALL };

function bodyPath(kind, w, h) {
  const [x, y] = [w / 2, h / 2], q = w < 40 ? 2 : 4;
  if (kind === "K") { const k = w < 40 ? 8 : 16; return `M${-x} ${y}V${-y + k}Q${-x} ${-y} ${-x + k} ${-y}H${x - k}Q${x} ${-y} ${x} ${-y + k}V${y}Z`; }
  if (kind === "B") return `M${-x + 2 * q} ${-y}H${x - 2 * q}L${x} ${y}H${-x}Z`;
  if (kind === "F") return `M${-x + 10} ${-y}H${x - 10}L${x} 0 ${x - 10} ${y}H${-x + 10}L${-x} 0Z`;
  if (kind === "S") return `M${-x} ${y}V0A${x} ${y} 0 0 1 ${x} 0V${y}Z`;
  return `M${-x} ${y}V${-y + 2 * q}H${-x + q}V${-y + q}H${-x + 2 * q}V${-y}H${x - 2 * q}V${-y + q}H${x - q}V${-y + 2 * q}H${x}V${y}Z`; // the setback
}
/** One piece. Tall tile: figure above, rank below; wide tile: rank left, figure right. */
function tile(p, x, y, [w, h], o = {}) {
  const tall = h > w, k = p.kind, cls = `pc s${p.seat}${k ? "" : " back"}${o.cls ? ` ${o.cls}` : ""}`;
  const small = w < 40;
  let inside;
  if (!k) inside = flutes(w - 12, h - (tall ? 18 : 14), tall || w > 40 ? 7 : 5) + (small ? "" : g(0, 0, { class: "sealbox" }, circ(0, 0, 10.5, "seal"), mark(p.seat, 0, 0, 13)));
  else if (k === "S") inside = icon("door", 0, tall ? 3 : 2, tall ? 40 : small ? 18 : 28, "pi");
  else if (small) inside = t(0, h * .27, k, "rank xs");
  else if (tall) inside = icon(KINDS[k][0], 0, -12, 29, "pi") + t(0, 24, k, "rank");
  else inside = t(-11, 9.5, k, "rank") + icon(KINDS[k][0], 12, 0, 22, "pi");
  const moved = !k && p.moved && !small ? path(tall ? `M-6 ${h / 2 - 5}L0 ${h / 2 - 9} 6 ${h / 2 - 5}` : `M-6 ${h / 2 - 4}L0 ${h / 2 - 8} 6 ${h / 2 - 4}`, "went") : "";
  const seen = k && p.shown && o.eyes ? g(w / 2 - 3, -h / 2 + 3, { class: "seen" }, circ(0, 0, 8, "seenbg"), icon("eye", 0, 0, 12, "seenic")) : "";
  const data = { "data-piece": k ?? "?", "data-seat": p.seat, "data-home": p.home, "data-cell": p.cell ?? "removed", "data-key": p.cell ? `${p.seat}${p.home}` : null, "data-way": o.way };
  return g(x, y, { class: cls, ...(p.home ? data : {}) }, title(`${["South", "North"][p.seat]} ${k ? KINDS[k][1] : "hidden piece"}${p.cell ? ` on ${p.cell}` : ""}`), path(bodyPath(k, w, h), "body"), inside, moved, seen);
}

function blocks(geo) {
  const R = rnd(19), out = [];
  const shrink = (pts, f) => { const c = [0, 1].map((i) => pts.reduce((s, p) => s + p[i], 0) / pts.length); return pts.map((p) => p.map((v, i) => c[i] + (v - c[i]) * f)); };
  const lit = (pts, n) => Array.from({ length: n }, () => { let u = R(), v = R(); if (pts.length === 3 && u + v > 1) [u, v] = [1 - u, 1 - v]; const q = pts.length === 3 ? pts[2] : pts[3]; const z = [0, 1].map((i) => pts[0][i] + u * (pts[1][i] - pts[0][i]) + v * (q[i] - pts[0][i])); return rect(+(z[0] - 1.5).toFixed(1), +(z[1] - 2).toFixed(1), 3, 4, R() < .55 ? "win lit" : "win"); }).join("");
  for (let r = 1; r < 12; r++) {
    if (r === 6) continue;
    for (let c = 0; c < 4; c++) {
      const q = [at(c, r), at(c + 1, r), at(c + 1, r + 1), at(c, r + 1)], pts = q.map(geo.P), b = q.findIndex((x) => sortOf(x) === "building");
      const tris = b < 0 ? [pts] : b % 2 === 0 ? [[pts[0], pts[1], pts[2]], [pts[0], pts[2], pts[3]]] : [[pts[1], pts[2], pts[3]], [pts[1], pts[3], pts[0]]];
      for (const tri of tris) {
        const roof = shrink(tri, tri.length === 3 ? .5 : .56);
        out.push(poly(shrink(tri, tri.length === 3 ? .62 : .68), "lot"), poly(roof, R() < .5 ? "roof" : "roof r2"), poly(shrink(tri, tri.length === 3 ? .26 : .3), "roof r3"), lit(roof, geo.land ? 4 : 2));
      }
    }
  }
  return out.join("");
}

function ground(geo) {
  const { W, H, P, land } = geo, seg = (x, y) => { const [p, q] = [P(x), P(y)]; return `M${p[0]} ${p[1]}L${q[0]} ${q[1]}`; };
  const streets = STREETS.filter(([p]) => p !== "c6").map(([p, q]) => seg(p, q)).join(""), bridge = ["a", "c", "e"].map((c) => seg(`${c}6`, `${c}7`));
  const [m6, m7] = [P("a6"), P("a7")], mid = land ? (m6[0] + m7[0]) / 2 : (m6[1] + m7[1]) / 2, half = land ? 31 : 14;
  const water = land ? rect(mid - half, -600, half * 2, H + 1200, "water") : rect(0, mid - half, W, half * 2, "water");
  const wave = Array.from({ length: land ? 18 : 11 }, (_, i) => land ? `M${mid - 18 + (i % 3) * 12} ${18 + i * 36}q4-4 8 0t8 0` : `M${10 + i * 34} ${mid - 5 + (i % 3) * 5}q3-3 6 0t6 0`).join("");
  const quay = land ? path(`M${mid - half}-600V${H + 600}M${mid + half}-600V${H + 600}`, "quay") : path(`M0 ${mid - half}H${W}M0 ${mid + half}H${W}`, "quay");
  const boat = g(land ? mid : 108, land ? 196 : mid, { class: "boat" }, path(land ? "M0-17Q9-6 7 15H-7Q-9-6 0-17Z" : "M17 0Q6-8-14-6V6Q6 8 17 0Z", "hull"), rect(-4, -3, 8, land ? 12 : 6, "cabin"));
  const trusses = ["a", "c", "e"].map((c) => {
    const [p, q] = [P(`${c}6`), P(`${c}7`)], w = geo.road / 2 + 3;
    return land ? path(Array.from({ length: 5 }, (_, i) => { const x = mid - half + 2 + i * (half * 2 - 4) / 5, s = (half * 2 - 4) / 5; return `M${x} ${p[1] - w}l${s / 2} -7 ${s / 2} 7M${x} ${p[1] + w}l${s / 2} 7 ${s / 2} -7`; }).join("") + `M${mid - half} ${p[1] - w}h${half * 2}M${mid - half} ${p[1] + w}h${half * 2}`, "truss")
      : path(`M${p[0] - w} ${mid - half}v${half * 2}M${p[0] + w} ${mid - half}v${half * 2}M${p[0] - w - 4} ${mid - half}v${half * 2}M${p[0] + w + 4} ${mid - half}v${half * 2}`, "truss");
  }).join("");
  const cells = CELLS.map((cell) => {
    const [x, y] = P(cell), s = sortOf(cell), [w, h] = geo.tile;
    if (s === "building") { const o = (f) => { const [p, q] = [(w / 2 + 9) * f, (h / 2 + 9) * f], k = 9 * f; return `M${-p} ${-q + k}L${-p + k} ${-q}H${p - k}L${p} ${-q + k}V${q - k}L${p - k} ${q}H${-p + k}L${-p} ${q - k}Z`; }; return g(x, y, { class: "tower" }, path(o(1), "t1"), path(o(.86), "t2"), path(o(.58), "t3"), path(o(.3), "t4")); }
    if (s === "bar") { const south = row(cell) === 1, dx = land ? (south ? -1 : 1) : 0, dy = land ? 0 : (south ? 1 : -1); const bw = w + 14, bh = h + 14;
      return g(x, y, { class: "barcell" }, path(`M${-bw / 2} ${bh / 2}V${-bh / 2 + 10}H${-bw / 2 + 6}V${-bh / 2 + 5}H${-bw / 2 + 12}V${-bh / 2}H${bw / 2 - 12}V${-bh / 2 + 5}H${bw / 2 - 6}V${-bh / 2 + 10}H${bw / 2}V${bh / 2}Z`, "b1"), icon("glass", 0, 0, 24, "neon")); }
    if (s === "alley") return circ(x, y, land ? 17 : 13, "court");
    return "";
  }).join("");
  const labels = land
    ? Array.from({ length: 12 }, (_, i) => t(P(`a${i + 1}`)[0], H - 8, i + 1, "coord")).join("") + [...COLS].map((c) => t(12, P(`${c}1`)[1] + 5, c, "coord")).join("")
    : [...COLS].map((c) => t(P(`${c}1`)[0], H - 3, c, "coord")).join("") + Array.from({ length: 12 }, (_, i) => t(7.5, P(`a${i + 1}`)[1] + 4.5, i + 1, "coord")).join("");
  return el("g", { class: "city" }, rect(-600, -600, W + 1200, H + 1200, "block"), water, path(wave, "wave"), blocks(geo), path(LANES.map(([p, q]) => seg(p, q)).join(""), "lane", { "stroke-width": geo.lane }),
    path(streets, "kerb", { "stroke-width": geo.road + 5 }), quay, boat, path(bridge.join(""), "kerb", { "stroke-width": geo.road + 5 }), path(streets + bridge.join(""), "road", { "stroke-width": geo.road }), path(streets + bridge.join(""), "dash"), trusses, cells, labels);
}

const groundOf = once((layout) => ground(LAYOUTS[layout]));
const pieceOn = kept((p, layout, way) => tile(p, ...LAYOUTS[layout].P(p.cell), LAYOUTS[layout].tile, { eyes: true, way }));
const readMove = (last) => last && /^([a-e]\d+)-([a-e]\d+)/.exec(last.text);

/** The city, what the last move left behind, the pieces, and brackets where it ended. */
export function draw(state, layout, { last, before }) {
  const geo = LAYOUTS[layout], { P, tile: [w, h] } = geo, m = before ? readMove(last) : null;
  const route = m ? (isLane(m[1], m[2]) ? [m[1], m[2]] : run(m[1], m[2], before)) : [];
  const clear = geo.land && m ? (Math.abs(P(route.at(-1))[0] - P(route.at(-2))[0]) > 5 ? w / 2 + 8 : h / 2 + 8) : h / 2 + 6;
  const pending = state.pending?.place;
  const turns = route.length > 2 ? route.map((cell) => P(cell).join(",")).join(" ") : null;
  return { size: [geo.W, geo.H], ground: groundOf(layout), play: [
    m ? rect(P(m[1])[0] - w / 2, P(m[1])[1] - h / 2, w, h, "last-from") + way(route.map(P), clear) : "",
    state.pieces.map((p) => (p.cell ? pieceOn(p, layout, p.cell === m?.[2] ? turns : null) : "")),
    m ? brackets(...P(m[2]), w + 12, h + 12, 12) : "",
    pending ? brackets(...P(pending), w + 12, h + 12, 12) : ""].flat() };
}
const isLane = (from, to) => LANES.some((lane) => lane.includes(from) && lane.includes(to));

/** SE 4.5: the way a Kid ran is not told, so the shortest free one is drawn. */
function run(from, to, before) {
  const taken = new Set((before?.pieces ?? []).filter((p) => p.cell).map((p) => p.cell)), came = new Map([[from, null]]), q = [from];
  while (q.length && !came.has(to)) { const c = q.shift(); for (const [dc, dr] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) { const n = at(col(c) + dc, row(c) + dr); if (!n || came.has(n) || !onStreet(c, n) || (taken.has(n) && n !== to)) continue; came.set(n, c); q.push(n); } }
  if (!came.has(to)) return [from, to];
  const s = []; for (let c = to; c; c = came.get(c)) s.unshift(c); return s;
}
/** Pieces out of the game, ordered by rank, as small tiles. */
export function holdings(state, seat) {
  const order = "87654321KFBS", columns = 13;
  const gone = state.pieces.filter((p) => p.seat === seat && !p.cell).sort((x, y) => order.indexOf(x.kind) - order.indexOf(y.kind));
  if (!gone.length) return [];
  const rows = Math.ceil(gone.length / columns);
  return [el("svg", { class: "drawn tray", viewBox: `0 0 ${columns * 24} ${rows * 30}`, role: "img", "aria-label": `lost: ${gone.map((p) => (p.kind ? KINDS[p.kind][1] : "hidden piece")).join(", ")}` },
    gone.map((p, i) => tile(p, 12 + 24 * (i % columns), 15 + 30 * Math.floor(i / columns), [21, 26])))];
}

export function facts(state, seat) {
  const own = state.pieces.filter((p) => p.seat === seat), left = own.filter((p) => p.cell);
  return [["on the map", left.length], ["lost", own.length - left.length], ["seen by the other", left.filter((p) => p.shown).length]];
}

/** Who beats whom: the higher number takes the lower; F takes anyone along; the Kid takes the Babe. */
export function legend() {
  const others = [["F", "both go"], ["B", "stays; both go"], ["K", "runs; takes B"]];
  return el("svg", { class: "drawn", viewBox: "0 0 312 64", role: "img", "aria-label": "A higher number takes a lower one, 8 down to 1. With F, the FBI, both go. B, the Babe, stays put and both go. K, the Kid, runs, loses to numbers and takes the Babe." },
    [..."87654321"].map((k, i) => tile({ seat: 0, kind: k }, 12 + 23 * i, 15, [20, 26]) + icon(KINDS[k][0], 12 + 23 * i, 44, 16, "ic")),
    others.map(([k, w], i) => g(204, 11 + 21 * i, {}, icon(KINDS[k][0], 0, 0, 16, "ic"), t(13, 5, k, "start b"), t(26, 5, w, "start m s12"))));
}

// ---- choosing: the parts of an action, and where each stands: [x, y, width, height] round its middle ----
export const parts = (text) => /^[a-e]\d+-[a-e]\d+$/.test(text) ? text.split("-") : [];

export const settingUp = (state) => state.phase === "setup";

/** A piece that is to be placed, or a cell. */
export function piece(key, state) {
  if (!(key in KINDS)) return { label: key };
  return { label: KINDS[key][1], drawn: el("svg", { class: "drawn", viewBox: "0 0 44 42" }, tile({ seat: state.to_act, kind: key }, 22, 21, [34, 40])) };
}

export function spots(state, layout) {
  const { P, tile: [w, h] } = LAYOUTS[layout];
  return Object.fromEntries(CELLS.map((cell) => [cell, [[...P(cell), w + 8, h + 8]]]));
}

/** The position in words, with {0} for the name of seat 0. */
export const describe = ({ pieces }) => [0, 1].map((seat) => `{${seat}}: ${pieces.filter((p) => p.seat === seat && p.cell).map((p) => `${p.kind ? KINDS[p.kind][1] : "hidden piece"} on ${p.cell}`).join(", ") || "nothing on the map"}.`).join(" ");
