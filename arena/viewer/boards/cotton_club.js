// 1923 Cotton Club: five bills of fare with stepped seats, three tracks, the events; text is replaced by icons with numbers.
import { brackets, circ, el, esc, flutes, g, icon, kept, mark, once, path, rect, t, title } from "../drawing.js";
import { CARDS, EVENTS, SPACES } from "./cotton_cards.js";

export const style = "cc";
export const scene = [252, 205, 332, 166]; // what a small picture shows of the wide layout
export const hint = "Score now: what it would be if the game ended here.";
const TYPES = ["improvements", "gangsters", "smuggling", "artists", "celebrities"];
const TYPE_ICON = { improvements: "steps", gangsters: "fedora", smuggling: "bottle", artists: "note", celebrities: "star" };
const NAME = { improvements: "Improve", gangsters: "Gangsters", smuggling: "Smuggling", artists: "Artists", celebrities: "Celebrities" };
const GOOD = { wine: "wine", beer: "beer", whisky: "whisky", dancer: "dancer", musician: "musician", singer: "singer", weapons: "weapon", income: "coin", politician: "politician" };
const typeOf = (id) => ({ I: "improvements", G: "gangsters", S: "smuggling", A: "artists", C: "celebrities" })[id[0]];
/** A card as it is printed, taken apart. */
const read = once((id) => {
  const [name, price, effects, marks] = CARDS[id];
  const options = effects.split(" or ").map((o) => o.split(", ").filter((x) => x && x !== "free").map((x) => { const m = /^(infl|init|crim) (.)(\d+)$/.exec(x); return m ? { icon: m[1], n: `${m[2]}${m[3]}` } : { icon: "coin", n: x.replace("$", "") }; }));
  const goods = [], likes = []; let needs = 0, end = 0, liking = false;
  for (const part of marks.split(", ").filter(Boolean)) {
    const p = part.replace(/^likes /, () => { liking = true; return ""; }), m = /^(?:(\d) )?(\w+)$/.exec(p), e = /^end \+(\d+)$/.exec(p), nd = /^needs (\d)/.exec(p);
    if (e) end = Number(e[1]); else if (nd) needs = Number(nd[1]); else if (m) for (let i = 0; i < Number(m[1] ?? 1); i++) (liking ? likes : goods).push(GOOD[m[2]]);
  }
  return { id, name: name.replace(/^(.*?) ?"([^"]+)" ?(.*)$/, (_, p, q, r) => `${q} ${r}`.trim()), price, options, goods, likes, needs, end, type: typeOf(id) };
});
const picture = (c) => c.type === "artists" ? c.goods.filter((x) => ["dancer", "musician", "singer"].includes(x)) : c.type === "smuggling" ? c.goods.filter((x) => ["wine", "beer", "whisky"].includes(x)) : c.type === "gangsters" ? ["fedora"] : c.type === "celebrities" ? [c.goods.includes("politician") ? "politician" : "star"] : ["steps"];
const fit = (s, n) => (s.length > n ? `${s.slice(0, n - 1)}…` : s);
/** How wide bold letters are, in em; those not named are a little wider than half of it. */
const LETTERS = { MWm: .89, "ACDGHKNOQRUXw&…": .76, BEFPSVYZ: .64, "Ifrt-": .43, " ijl.'’": .32 };
const OF_LETTER = new Map(Object.entries(LETTERS).flatMap(([letters, em]) => [...letters].map((letter) => [letter, em])));
const widthOf = (words, size) => [...words].reduce((sum, letter) => sum + size * (OF_LETTER.get(letter) ?? .585), 0);
const MOST_SQUEEZED = 1.12;
const isFitting = (words, room, size) => widthOf(words, size) <= room * MOST_SQUEEZED;
/** Bold letters that are a little too long are set narrower; what is much too long is cut. */
function fitted(x, y, name, room, size, style) {
  let words = name;
  while (!isFitting(words, room, size)) words = `${words.replace(/…$/, "").slice(0, -1).trimEnd()}…`;
  const narrower = widthOf(words, size) > room ? { textLength: room, lengthAdjust: "spacingAndGlyphs" } : {};
  return t(x, y, words, style, { "data-room": room, ...narrower });
}
/** A name in one line, or where that would have to be cut in two, as alike in length as its words let them be. */
function inLines(name, room, size) {
  if (isFitting(name, room, size)) return [name];
  const words = name.split(" "), breaks = words.slice(1).map((_, i) => [words.slice(0, i + 1).join(" "), words.slice(i + 1).join(" ")]);
  const longer = (pair) => Math.max(...pair.map((part) => widthOf(part, size)));
  return breaks.reduce((best, pair) => (longer(pair) < longer(best) ? pair : best));
}
/** A card: what it is (picture), what it costs (top right), what it does (chips), what it is worth at the end (laurel). */
const card = once((id, x, y, w, h) => {
  const c = read(id), pw = 42, pics = picture(c), out = [rect(0, 0, w, h, "cc-card"), rect(0, 0, pw, h, `cc-pic ty-${c.type}`)];
  const infl = /infl/.test(c.price), price = c.price.replace(/[$ infl]/g, ""), mid = price ? h / 2 + 13 : h / 2;
  pics.slice(0, 3).forEach((p, i, all) => out.push(all.length > 2 ? icon(p, pw / 2 + [-9, 9, 0][i], mid + [-8, -8, 11][i], 17, "cc-picic") : icon(p, pw / 2, mid + (i - (all.length - 1) / 2) * 22, all.length > 1 ? 19 : 28, "cc-picic")));
  const room = w - pw - 10, isLong = widthOf(c.name, 13) > room, size = isLong && h >= 75 ? 12 : 13, name = inLines(c.name, room, size), two = name.length - 1;
  name.forEach((part, i) => out.push(fitted(pw + 7, (two ? 14 : 17) + 12.5 * i, part, room, size, `b start ${isLong ? "s12" : "cc-name"}`)));
  const top = two * (h < 75 ? 6 : 9), foot = h - (two && h < 75 ? 12 : 18); // what stands below a name of two lines makes room for it
  if (price) out.push(g(pw / 2, 15, { class: infl ? "price infl" : "price" }, infl ? rect(-19, -12, 38, 23, "pricebg") + icon("infl", -9, 0, 15, "priceic") : circ(0, 0, 12.5, "pricebg"), t(infl ? 8 : 0, 5, price, "pricen")));
  let px = pw + 7; const chip = (ic, n, yy) => { const wd = n ? 19 + String(n).length * 7.5 : 17; out.push(icon(ic, px + 7, yy, 14, `chip c-${ic}`), n ? t(px + 16, yy + 4.5, n, "start b s12") : ""); px += wd; };
  if (!c.likes.length) c.options.forEach((op, k) => { px = pw + 7; if (k) { out.push(t(px, 57 + top / 2, "or", "m s11 start")); px += 17; } op.forEach((e) => chip(e.icon, e.n, k ? 53 + top / 2 : 34 + top)); });
  px = pw + 7; const extra = c.type === "artists" || c.type === "smuggling" ? c.goods.filter((q) => q === "coin" || q === "weapon") : c.type === "celebrities" ? [] : c.goods;
  if (c.likes.length) { out.push(t(px, 39 + top, "likes", "start m s11")); px += 30; c.likes.forEach((q) => { out.push(icon(q, px + 6, 35 + top, 15, "chip")); px += 15.5; }); if (c.options[0].length) { px = pw + 7; out.push(icon("crim", px + 7, 58 + top / 3, 14, "chip c-crim"), t(px + 16, 62.500 + top / 3, c.options[0][0].n, "start b s12")); } }
  if (c.needs) { out.push(t(px, foot + 4, "needs", "start m s11")); px += 38; out.push(icon("weapon", px + 5, foot, 12, "chip need"), t(px + 13, foot + 4.5, c.needs, "start b s12")); px += 21; }
  const apart = Math.min(17, (w - 30 - px) / extra.length); // none lies under the star
  extra.forEach((q, i) => out.push(icon(q, px + 7 + apart * i, foot, 14, `chip c-${q}`)));
  if (c.end) out.push(g(w - 15, h - 15, {}, icon("laurel", 0, 0, h < 75 ? 25 : 29, "endstar"), t(0, 4.5, c.end, "endn")));
  return g(x, y, { "data-card": id, "data-at": c.type }, title(about(id)), out);
});
/** A card in words. */
const LONG = { infl: "influence", init: "initiative", crim: "criminality", end: "reputation at the end" };
const about = (id) => CARDS[id].filter(Boolean).join(", ").replace(/\b(infl|init|crim|end)\b/g, (word) => LONG[word]);
/** A pawn has its seat's mark for a head, and a disc its outline: two solid seats differ without colour. */
const HEADS = ["V-2A7 7 0 1 1 4-2V4", "V-1H-8V-16H8V-1H4V4", "V-2L-10-9 0-19 10-9 4-2V4", "V0H-10L0-18 10 0H4V4"];
const pawnPath = (seat) => `M-12 16V10H-7V4H-4${HEADS[seat] ?? HEADS[0]}H7V10H12V16Z`;
const DISCS = [(w, h) => `M${h - w} ${-h}H${w - h}A${h} ${h} 0 0 1 ${w - h} ${h}H${h - w}A${h} ${h} 0 0 1 ${h - w} ${-h}Z`, (w, h) => `M${-w} ${-h}H${w}V${h}H${-w}Z`, (w, h) => `M${-w - 1} 0L${h + 2 - w} ${-h}H${w - h - 2}L${w + 1} 0 ${w - h - 2} ${h}H${h + 2 - w}Z`, (w, h) => `M${-w} ${h}L${h + 3 - w} ${-h}H${w - h - 3}L${w} ${h}Z`];
const discPath = (seat, w, h) => path(DISCS[seat](w, h), seat % 2 ? "hollow disc" : "solid disc");
const pawn = (seat, x, y, s, at) => g(x, y, { class: seat < 0 ? "pawn" : `pawn p${seat}`, "data-pawn": seat, "data-at": at, "data-key": `${at}:${seat}` }, title(seat < 0 ? "Salvatore’s pawn" : "a pawn"), el("g", { transform: `scale(${s})` }, path(pawnPath(seat), seat < 0 ? "dashed" : seat % 2 ? "hollow" : "solid")));
const short = (e) => { const m = /^(infl|init|crim) (.)(\d)$/.exec(e); return m ? [m[1], m[2] + m[3]] : e ? ["coin", e.replace("$", "")] : null; };
const space = once((x, y, w, h, effect, seat, at) => {
  const e = effect ? short(effect) : null;
  return el("g", {}, rect(x, y, w, h, "seat-space"), seat !== null && seat !== undefined ? pawn(seat, x + w / 2, y + h / 2 - 5, Math.min(.95, w / 32), at) : circ(x + w / 2, y + h / 2 - (at.startsWith("tip-off") ? 0 : 8), Math.min(9, w / 2 - 3), "stool"), e ? g(x + w / 2, y + h - 10, {}, icon(e[0], w < 36 ? -7.5 : -11, 0, w < 36 ? 11 : 12, `chip c-${e[0]}`), w < 36 ? t(-1.5, 4.5, e[1], "b s11 start") : t(8, 4.5, e[1], "b s12")) : "");
});
const BIG = { influence: ["infl", "Influence", "buys stars; first +3"], initiative: ["init", "Initiative", "turn order; first +2"], criminality: ["crim", "Criminality", "first −5, second −3"] };
const disc = (name, seat, level) => ({ class: `p${seat}`, "data-disc": name, "data-seat": seat, "data-level": level, "data-key": `${name}${seat}` });
/** A track without its discs, the same in all positions. */
function track(name, x, y, step, h) {
  const out = [icon(BIG[name][0], x + 12, y + h / 2, 20, `chip c-${BIG[name][0]}`), t(x + 28, y + h / 2 - 2, BIG[name][1], "b start"), t(x + 28, y + h / 2 + 13, BIG[name][2], "m s11 start")], X = x + 172;
  for (let l = 0; l <= 12; l++) { out.push(rect(X + l * step, y, step - 2, h, `lvl ${name} l${Math.floor(l / 4)}`), t(X + l * step + step / 2 - 1, y + 12, l, "s11 m")); }
  return el("g", {}, out);
}
/** The discs on a track; of those on one level the first in order lies on top. */
function discs(name, { order, levels }, x, y, step, h) {
  return order.map((seat) => {
    const here = order.filter((other) => levels[other] === levels[seat]), above = here.length - 1 - here.indexOf(seat);
    return g(x + 172 + levels[seat] * step + step / 2 - 1, y + h - 7 - 9.5 * above, disc(name, seat, levels[seat]), discPath(seat, 13, 5));
  });
}
/** Words in lines of at most so many letters. */
function lines(words, most) {
  return words.split(" ").reduce((found, word) => {
    if (found.length && (found.at(-1) + word).length < most) found.push(`${found.pop()} ${word}`);
    else found.push(word);
    return found;
  }, []);
}
function eventCard(e, x, y, w, h) {
  const data = { "data-by": e.by ?? "pile", "data-event": e.event ?? "?" }, owner = e.by === null ? "" : h < 50 ? mark(e.by, w - 11, 11, 13) : mark(e.by, w - 12, h - 11, 14);
  if (!e.event) return g(x, y, data, title("an event, face down"), rect(0, 0, w, h, "cc-card back"), g(w / 2, h / 2, {}, flutes(w - 20, h - 20, 6)), owner);
  const [name, deed] = EVENTS[e.event].split(": "), band = w - (owner && h < 50 ? 40 : 22), heads = h < 86 ? [name] : inLines(name, band, 12), head = 9 + 13 * heads.length, count = Math.floor((h - head - 4) / 15);
  const told = count === 1 ? [fit(deed, Math.floor((w - 8) / 5.8))] : lines(deed, (w - (owner ? 20 : 6)) / 6.2).slice(0, count);
  return g(x, y, data, title(EVENTS[e.event]), rect(0, 0, w, h, "cc-card"), rect(0, 0, w, head, "cc-pic ty-event"), icon("flash", 11, 11, 13, "cc-picic"), heads.map((part, i) => fitted(20, 15.5 + 13 * i, part, band, h < 50 ? 13 : 12, "b start s12 onpic")), told.map((words, i) => t(count === 1 ? 5 : 7, head + 14.5 + 15 * i, words, count === 1 ? "start s11" : "start s12")), h < 50 && owner ? circ(w - 11, 11, 9, "eventby") + owner : owner);
}
const sideOf = (s) => SPACES[s.seats === 4 ? "4" : "2-3"];
const roundWords = (s) => (s.round ? `Round ${s.round} of 6${s.last_round ? ", the last" : ""}` : "Before the first round");

/** The space of the pawn that was placed last. */
function placed(before, state) {
  for (const at of [...TYPES, "tip-off"]) {
    const k = state.board[at].findIndex((seat, i) => seat !== null && before.board[at][i] !== seat);
    if (k >= 0) return `${at}${k}`;
  }
  return state.board.loan.length > before.board.loan.length ? `loan${state.board.loan.length - 1}` : null;
}

const LAYOUTS = { wide: { H: 686, y: 34, row: 86, tracks: 474, step: 69 }, low: { H: 580, y: 30, row: 74, tracks: 406, step: 58 } };

function rows(s, { y: Y, row: R }, hot) {
  const side = sideOf(s), n = side.artists.length, sw = 42, cx = 118 + n * (sw + 3) + 6, cw = (910 - cx) / 4, h = R - 6;
  return TYPES.flatMap((ty, i) => {
    const y = Y + R * i;
    return [[rect(8, y, 104, h, `cc-pic ty-${ty}`, { "data-place": ty }), icon(TYPE_ICON[ty], 30, y + h * .27, h * .34, "cc-picic"), t(15, y + h - 26, NAME[ty], "b start onpic"), t(15, y + h - 10, `${s.piles[ty]} in the pile`, "start s12 onpic")],
      ...s.board[ty].map((seat, k) => space(118 + k * (sw + 3), y, sw, h, side[ty][k], seat, `${ty}${k}`) + (hot === `${ty}${k}` ? brackets(118 + k * (sw + 3) + sw / 2, y + h / 2, sw + 4, h + 4, 9) : "")),
      ...[0, 1, 2, 3].map((k) => (s.rows[ty][k] ? card(s.rows[ty][k], cx + k * cw, y, cw - 5, h) : rect(cx + k * cw, y, cw - 5, h, "cc-gone")))];
  });
}

function aside(s, { y: Y, row: R }, hot) {
  const top = R * 2, bottom = R * 3 - 14, n = s.board["tip-off"].length, w = 90 / n;
  const pawns = s.board.loan.map((seat, k) => [seat, 936 + 21 * (k % 4), Y + top + 76 + 36 * Math.floor(k / 4), k]);
  return [[rect(916, Y, 104, top, "cc-side", { "data-place": "tip-off" }), icon("eye", 932, Y + 18, 19, "chip"), t(946, Y + 23, "Tip-off", "b start"), t(924, Y + 41, "see the events,", "m s12 start"), t(924, Y + 55, "act again later", "m s12 start")],
    ...s.board["tip-off"].map((seat, k) => space(923 + k * w, Y + 64, w - 2, top - 72, "", seat, `tip-off${k}`) + (hot === `tip-off${k}` ? brackets(923 + k * w + w / 2 - 1, Y + 28 + top / 2, w + 2, top - 68, 8) : "")),
    [rect(916, Y + top + 8, 104, bottom, "cc-side", { "data-place": "loan" }), icon("money", 932, Y + top + 27, 19, "chip"), t(946, Y + top + 32, "Loan", "b start"), icon("coin", 932, Y + top + 48, 13, "chip c-coin"), t(941, Y + top + 52.5, "+5", "start b s12"), icon("crim", 972, Y + top + 48, 13, "chip c-crim"), t(982, Y + top + 52.5, "+1", "start b s12")],
    pawns.map(([seat, x, y, k]) => pawn(seat, x, y, .75, `loan${k}`) + (hot === `loan${k}` ? brackets(x, y + 3, 24, 34, 7) : ""))];
}

/** Two or three events side by side, more in two rows; below, as many of the last resolved as there is room for. */
function events(s, { tracks: TY, step }) {
  const count = s.event_row.length, rows = count > 3 ? 2 : 1, across = Math.max(2, Math.ceil(count / rows)), w = 339 / across, h = rows > 1 ? 60 : 90, below = TY + 24 + rows * (h + 4) + 14;
  const room = Math.max(0, Math.floor((TY + step * 3 - 6 - below) / 16)), used = room ? s.used_events.slice(-room) : [];
  return [t(686, TY + 14, "Events", "d start"), t(1018, TY + 14, `${s.event_pile} more in the pile`, "m s12 end"), s.event_row.map((e, i) => eventCard(e, 686 + w * (i % across), TY + 22 + (h + 4) * Math.floor(i / across), w - 6, h)),
    used.length ? t(686, below, "Last resolved", "b start s12") : "", used.map((e, i) => fitted(686, below + 16 + 16 * i, EVENTS[e.event], 332, 12, "start s12 m"))];
}

/** Before the deal: no card lies in its row, and nobody has a place on a track. */
export const bare = (s) => ({ ...s, rows: Object.fromEntries(TYPES.map((type) => [type, []])), tracks: Object.fromEntries(TRACKS.map((name) => [name, { order: [], levels: [] }])) });

const TRACKS = Object.keys(BIG);
const groundOf = once((layout) => {
  const { tracks, step } = LAYOUTS[layout];
  return rect(-600, -600, 2228, 1800, "hall") + rect(-600, tracks - 10, 2228, 1200, "hall2") + TRACKS.map((k, i) => track(k, 12, tracks + i * step, 37, step - 6)).join("");
});

function wide(s, layout, hot) {
  const at = LAYOUTS[layout];
  return { size: [1028, at.H], ground: groundOf(layout), play: [
    t(12, at.y - 11, roundWords(s), "d start"), t(186, at.y - 11, "place a pawn: take the leftmost free seat, then one card of that row", "m s12 start hint"),
    ...rows(s, at, hot), ...aside(s, at, hot), ...TRACKS.flatMap((k, i) => discs(k, s.tracks[k], 12, at.tracks + i * at.step, 37, at.step - 6)), events(s, at)].map((drawn) => [drawn].flat(5).join("")) };
}

/** Phone: small cards, of which a tap shows the whole. */
function tall(s, hot) {
  const side = sideOf(s), out = [], n = side.artists.length, sw = n > 3 ? 27 : 31, sx = 42, cx = sx + n * (sw + 2) + 2, cw = (351 - cx) / 4;
  let y = 28;
  for (const ty of TYPES) {
    out.push(rect(7, y, 33, 58, `cc-pic ty-${ty}`, { "data-place": ty }), title(NAME[ty]), icon(TYPE_ICON[ty], 23.5, y + 20, 24, "cc-picic"), t(23.5, y + 51, `×${s.piles[ty]}`, "s12 onpic"),
      s.board[ty].map((seat, k) => space(sx + k * (sw + 2), y, sw, 58, side[ty][k], seat, `${ty}${k}`) + (hot === `${ty}${k}` ? brackets(sx + k * (sw + 2) + sw / 2, y + 29, sw + 2, 60, 7) : "")), s.rows[ty].map((id, k) => mini(id, cx + k * cw, y, cw - 2)));
    y += 61;
  }
  out.push(rect(7, y, 170, 40, "cc-side", { "data-place": "tip-off" }), icon("eye", 21, y + 20, 18, "chip"), t(34, y + 25, "Tip-off", "b start"), s.board["tip-off"].map((seat, k) => space(84 + k * 23, y + 2, 21, 36, "", seat, `tip-off${k}`)),
    rect(181, y, 170, 40, "cc-side", { "data-place": "loan" }), icon("money", 195, y + 20, 18, "chip"), t(208, y + 25, "Loan", "b start"), s.board.loan.map((seat, k) => pawn(seat, 254 + Math.min(21, 84 / s.board.loan.length) * k, y + 18, .62, `loan${k}`)));
  y += 46;
  Object.entries(s.tracks).forEach(([k, d]) => {
    out.push(icon(BIG[k][0], 19, y + 16, 18, `chip c-${BIG[k][0]}`), title(BIG[k][1]));
    for (let l = 0; l <= 12; l++) {
      const X = 36 + l * 24.3, here = d.order.filter((q) => d.levels[q] === l);
      out.push(rect(X, y, 22.7, 31, `lvl ${k} l${Math.floor(l / 4)}`), t(X + 11, y + 11, l, "s12 m"), here.map((q, i) => g(X + 11, y + 26 - 5 * (here.length - 1 - i), disc(k, q, l), discPath(q, 9, 4))));
    }
    y += 33;
  });
  const count = s.event_row.length, rows = Math.ceil(count / 3), h = rows === 1 && count < 3 ? 60 : [0, 86, 42, 27][rows] ?? 22, w = 344 / Math.max(2, Math.min(3, count));
  out.push(s.event_row.map((e, i) => eventCard(e, 7 + w * (i % 3), y + 3 + (h + 3) * Math.floor(i / 3), w - 4, h)));
  y += rows ? rows * (h + 3) + 6 : 6;
  return { size: [358, y], ground: "", play: [rect(0, 0, 358, y, "hall"), t(9, 20, roundWords(s), "d start"), ...out].map((drawn) => [drawn].flat(5).join("")) };
}

export function draw(s, layout, { before }) {
  const hot = before ? placed(before, s) : null;
  return layout === "tall" ? tall(s, hot) : wide(s, layout, hot);
}

/** A card on a phone: picture, price, first effect, end reputation. */
const mini = once((id, x, y, w) => {
  const c = read(id), infl = /infl/.test(c.price), price = c.price.replace(/[$ infl]/g, ""), first = c.options[0]?.[0];
  return g(x, y, { "data-card": id, "data-at": c.type }, title(about(id)), rect(0, 0, w, 58, "cc-card"), rect(0, 0, w, 31, `cc-pic ty-${c.type}`), icon(picture(c)[0], w * .33, 15, 21, "cc-picic"),
    price ? g(w - 12, 13, { class: infl ? "price infl" : "price" }, circ(0, 0, 10, "pricebg"), t(0, 4.5, price, "pricen")) : "", first ? icon(first.icon, 7, 43, 11, `chip c-${first.icon}`) + t(13, 47.5, first.n, "start b s11") : "", c.end ? g(w - 9.5, 43.5, {}, icon("laurel", 0, 0, w < 48 ? 20 : 22, "endstar"), t(0, 4.2, c.end, "endn sm")) : "");
});

/** CC 8.2: the score if the game ended now; politicians not counted. */
function score(s, seat) {
  if (s.scoring) return s.scoring[seat].total;
  const c = s.clubs[seat], place = (k) => s.tracks[k].order.indexOf(seat), guilt = s.seats === 2 ? [-3] : [-5, -3];
  return c.reputation + c.end_reputation + Math.floor(c.money / 5) + (place("influence") ? 0 : 3) + (place("initiative") ? 0 : 2) + (guilt[place("criminality")] ?? 0);
}

/** Where chips stand so that none touches the next: as far apart as their figures are long, and closer where there are many. */
function chipPlaces(lengths) {
  const widths = lengths.map((length) => 19 + 7.5 * length), all = widths.reduce((sum, wide) => sum + wide, 0);
  const gap = Math.min(12, (304 - all) / lengths.length);
  return widths.map((_, i) => 10 + widths.slice(0, i).reduce((sum, wide) => sum + wide + gap, 0));
}

/** A club: money, weapons, income, what the bar pours and who is on stage; its cards as a strip of pictures. */
const club = kept((c, seat) => {
  const items = [["coin", `$${c.money}`, "money"], ["weapon", c.weapons, "weapons"], ["money", `+${c.income}`, "income"], ...Object.entries(c.icons).filter(([, n]) => n).map(([k, n]) => [k, n, k]), ...(c.politicians ? [["politician", c.politicians, "politicians"]] : [])];
  const places = chipPlaces(items.map(([, n]) => String(n).length)), rows = Math.ceil(c.cards.length / 12);
  const cards = c.cards.map((id, i) => { const q = read(id); return g(13 + 25.5 * (i % 12), 41 + 27 * Math.floor(i / 12), { "data-owned": id }, title(about(id)), rect(-11.5, -11.5, 23, 23, `cc-pic ty-${q.type}`), icon(picture(q)[0], 0, 0, 16, "cc-picic")); });
  return el("svg", { class: "drawn clubsvg", viewBox: `0 0 312 ${28 + 27 * rows}`, role: "img", "aria-label": `${items.map(([, n, word]) => `${word} ${n}`).join(", ")}; ${c.cards.length} cards`, "data-club": seat, "data-money": c.money, "data-reputation": c.reputation },
    items.map(([ic, n, word], i) => g(places[i], 13, {}, title(word), icon(ic, 0, 0, 16, `chip c-${ic}`), t(10, 5, n, "start b"))), cards);
});

/** A club and its events. */
export function holdings(s, seat) {
  const c = s.clubs[seat], events = s.hands[seat] ?? Array.from({ length: c.events }, () => null);
  return [club(c, seat), events.length ? el("ul", { class: "hand", "aria-label": "Events in hand" }, events.map((id) => el("li", { class: id ? null : "back", "data-hand": seat, "data-event": id ?? "?" }, id ? esc(EVENTS[id].split(":")[0]) : el("span", { class: "visually-hidden" }, "hidden event")))) : ""];
}

export function facts(s, seat) {
  const c = s.clubs[seat];
  return [[s.scoring ? "score" : "score now", score(s, seat)], ["reputation", c.reputation], ["pawns", c.pawns]];
}

/** A card or an event as large as its words need, for whoever taps it. */
export function closeUp({ card: id, owned, event }) {
  const framed = (w, h, drawn) => el("svg", { class: "drawn cc", viewBox: `-1 -1 ${w + 2} ${h + 2}`, "aria-hidden": "true" }, drawn);
  if (id ?? owned) return framed(184, 80, card(id ?? owned, 0, 0, 184, 80));
  return event in EVENTS ? framed(184, 86, eventCard({ event, by: null }, 0, 0, 184, 86)) : null;
}

// ---- choosing: the steps of an action, what stands for each on the board, and how it looks in the tray ----
export function parts(text) {
  const [verb, what, option] = text.split(" ");
  if (verb === "take") return option ? [what, `${what} ${option}`] : [what];
  return verb === "salvatore" ? [what] : [text];
}

/** What one option of an improvement brings, in icons. */
const bring = (id, option) => read(id).options[option === "A" ? 0 : 1].map(({ icon: name, n }, i) => icon(name, 12 + 44 * i, 20, 20, `chip c-${name}`) + t(24 + 44 * i, 25, n, "start b"));

/** A key as it lies in the tray: events as cards, a card as on the board, the options of an improvement by what they bring. */
export function piece(key, s) {
  const [verb, what] = key.split(" "), framed = (w, h, ...drawn) => el("svg", { class: "drawn cc", viewBox: `-2 -2 ${w + 4} ${h + 4}`, "aria-hidden": "true" }, drawn);
  if (verb === "add" || verb === "drop") {
    const [name, deed] = EVENTS[what].split(": ");
    return { label: `${verb === "add" ? "Add" : "Drop"} ${name}`, note: deed, drawn: framed(40, 40, rect(0, 0, 40, 40, "cc-pic ty-event"), icon("flash", 20, 20, 28, "cc-picic")) };
  }
  if (verb === "bribe") return { label: what === "0" ? "Bribe nobody" : `Bribe with ${what}`, drawn: framed(40, 40, icon("politician", 20, 20, 34, "chip")) };
  if (verb === "pass") return { label: "Add no event" };
  if (verb in CARDS && what) return { label: what === "A" ? "the first way" : "the second way", drawn: framed(92, 40, bring(verb, what)) };
  if (key in CARDS) return { label: read(key).name, drawn: framed(150, 80, card(key, 0, 0, 150, 80)) };
  if (key in TYPE_ICON) return { label: NAME[key], drawn: framed(40, 40, rect(0, 0, 40, 40, `cc-pic ty-${key}`), icon(TYPE_ICON[key], 20, 20, 28, "cc-picic")) };
  return { label: key === "loan" ? "Take a loan" : "Tip-off", drawn: framed(40, 40, icon(key === "loan" ? "money" : "eye", 20, 20, 34, "chip")) };
}

/** What stands for a key on the board. */
export function spots(s) {
  const cards = TYPES.flatMap((ty) => s.rows[ty]).map((id) => [id, `[data-card="${id}"]`]);
  return Object.fromEntries([...cards, ...[...TYPES, "tip-off", "loan"].map((place) => [place, `[data-place="${place}"]`])]);
}

/** The position in words, with {0} for the name of seat 0. */
export function describe(s) {
  const who = (seat) => (seat < 0 ? "Salvatore" : `{${seat}}`), pawns = (place) => s.board[place].filter((seat) => seat !== null).map(who).join(", ");
  const offered = TYPES.map((ty) => `${NAME[ty]}: ${s.rows[ty].map((id) => read(id).name).join(", ") || "no card"}${pawns(ty) ? `; pawns of ${pawns(ty)}` : ""}.`);
  return `${roundWords(s)}. ${offered.join(" ")} ${Object.entries(s.tracks).map(([k, { levels }]) => `${BIG[k][1]}: ${levels.map((level, seat) => `{${seat}} ${level}`).join(", ")}.`).join(" ")}`;
}
