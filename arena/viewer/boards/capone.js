// Capone: two streets of illegal business; a house is as tall as the worth that can hold it, and lit when somebody does.
import { brackets, circ, el, esc, g, icon, kept, mark, path, rect, rnd, t, title } from "../drawing.js";

export const style = "ca";
export const scene = [98, 284, 432, 216]; // what a small picture shows of the wide layout
export const hint = "The first to invest ten steps of $100k wins.";
const VALUES = { don: 100, mamma: 60, right_hand: 50, collector: 40, lawyer: 40, accountant: 30, secretary: 30, novice: 20 };
const ROLES = Object.keys(VALUES);
const HEAD = { don: "M-11-3Q-5-4-6-8C-6-14-2-13 0-11.500 2-13 6-14 6-8Q5-4 11-3 0 2-11-3Z", mamma: "M-7 1C-9-10 9-10 7 1L5-3H-5ZM-3.500-9A3.500 3.500 0 1 1 3.500-9 3.500 3.500 0 1 1-3.500-9Z", right_hand: "M-6-2C-7-10 7-10 6-2 4-5-2-5-6-2Z", collector: "M-6-4C-6-13 6-13 6-4L10-3Q0 1-10-3Z", lawyer: "M-5-14H5V-4H9V-2H-9V-4H-5Z", accountant: "M-6-4Q0-8 6-4L9-1Q0-5-9-1Z", secretary: "M-8 5C-10-11 10-11 8 5H5V-2Q0-3-4-5V5Z", novice: "M-8-2C-8-11 6-12 7-4L11-2H-7Z" };
/** A member stands as a bust: hat by role, coat in the seat's fill, the seat's mark on the chest, the worth below. */
function member(seat, role, x, y, { s = 1, worth = true, cls = "", at = null } = {}) {
  const data = at ? { "data-member": role, "data-seat": seat, "data-at": at, "data-key": at === "home" ? null : `${seat}${role}` } : {};
  return g(x, y, { class: `fig p${seat} ${seat % 2 ? "odd" : "even"} ${cls}`, ...data }, el("g", s === 1 ? {} : { transform: `scale(${s})` }, title(`${role.replace("_", " ")}, ${VALUES[role]}`), path("M-15 21V13Q-14 5-5 4H5Q14 5 15 13V21Z", "coat"), circ(0, -2, 7.5, "skin"), path("M0-9.500A7.500 7.500 0 0 1 0 5.500Z", "shade"), path(HEAD[role], "hat"), g(0, 14, { class: "chest" }, el("g", { transform: "scale(.34)" }, CHEST[seat])), worth ? rect(-15, 21, 30, 15, "worth") + t(0, 33, VALUES[role], "worthn") : ""));
}
const CHEST = ["<circle r='14'/>", "<path d='M-13-13H13V13H-13Z'/>", "<path d='M0-16 16 0 0 16-16 0Z'/>", "<path d='M0-15 17 14H-17Z'/>", "<path d='M-15-5H-5V-15H5V-5H15V5H5V15H-5V5H-15Z'/>", "<path d='M-16 10A16 16 0 0 1 16 10Z'/>"];
const guard = (seat, x, y, s = 1) => g(x, y, { class: `fig grd p${seat} ${seat % 2 ? "odd" : "even"}` }, el("g", s === 1 ? {} : { transform: `scale(${s})` }, path("M-6 9V3Q-6-1 0-1T6 3V9Z", "coat"), circ(0, -4, 3.6, "skin"), path("M-4.500-5Q0-10 4.500-5Z", "hat"), g(0, 5, { class: "chest" }, el("g", { transform: "scale(.2)" }, CHEST[seat]))));
const KIND = { pawnbroker: ["pawn3", "Pawnbroker"], bar: ["glass", "Bar"], jeweller: ["gem", "Jeweller"], nightclub: ["note", "Nightclub"], loan_office: ["money", "Loan office"], casino: ["dice", "Casino"], printing_works: ["press", "Printing"], exchange_office: ["exchange", "Exchange"], bank: ["pillar", "Bank"], weapons_shop: ["crate", "Weapons"] };
const SHOP = { bakery: ["loaf", "Bakery"], flower_shop: ["flower", "Flowers"], laundry: ["wash", "Laundry"], grocery: ["basket", "Grocery"], pizzeria: ["pizza", "Pizzeria"], cinema: ["film", "Cinema"], garage: ["wrench", "Garage"], taxi_company: ["car", "Taxis"] };
const PARKED = `<path d='M-14 4V-1H-9L-6-7H4L8-1H13V4Z'/><circle cx='-8' cy='5' r='3.600'/><circle cx='7' cy='5' r='3.600'/>`;
const STOREYS = { 5: 1, 10: 2, 20: 3, 30: 4 }, STONE = { 5: "green", 10: "sand", 20: "brick", 30: "slate" };

/** Who holds a house, in words. */
const crew = ({ members, guards, total }) => `${[...members.map((r) => r.replace("_", " ")), ...(guards ? [`${guards} bodyguard${guards === 1 ? "" : "s"}`] : [])].join(", ")}, worth $${total}k`;

/** Who stands before a house: busts where there is room, else heads in a row with their worths below, on a low pavement heads alone; guards beside the sum. */
function standing(site, x, G, w, ph) {
  const { owner, members: m, guards } = site, out = [], few = m.length <= (ph < 76 ? 1 : 2) && ph >= 60, s = ph < 60 ? .55 : .7;
  if (few) m.forEach((r, i) => out.push(member(owner, r, x + 18 + 32 * i, G + 16, { at: site.site })));
  else m.forEach((r, i) => out.push(member(owner, r, x + 16 * s + Math.min(31 * s, (w - 32 * s) / Math.max(1, m.length - 1)) * i, G + (ph < 60 ? 9 : 15), { s, worth: false, at: site.site })));
  if (!few && ph >= 60) out.push(t(x + 5, G + Math.max(41, Math.min(44, ph - 26)), m.length < (ph < 70 ? 4 : 6) ? m.map((r) => VALUES[r]).join(" ") : `${m.length} members`, "start b s11"));
  if (!m.length && guards <= 4 && ph >= 60) return [...out, Array.from({ length: guards }, (_, i) => guard(owner, x + 15 + 22 * i, G + 22, 1.7))];
  const low = m.length > 1 || (ph < 60 && m.length > 0), left = low ? x + 8 : x + 9 + 33 * m.length, per = low ? 99 : ph < 60 ? Math.ceil(guards / 2) || 1 : Math.max(1, Math.floor((x + w - left) / 13)), gy = low ? G + ph - 11 : G + 13;
  for (let i = 0; i < guards; i++) out.push(guard(owner, left + (low ? Math.min(13, (w - 56) / guards) : 13) * (i % per), gy + 20 * Math.floor(i / per)));
  return out;
}
function house(site, x, G, w, { fl, seed, ph, shopH = 40 }) {
  const kind = site.site.slice(0, -1), [ic, name] = KIND[kind], n = STOREYS[site.value], shop = shopH, top = G - shop - n * fl, R = rnd(seed * 71 + 5), held = site.owner !== null, out = [];
  R();
  out.push(rect(x, top, w, n * fl + shop, `fac ${STONE[site.value]}`), path(`M${x - 3} ${top}H${x + w + 3}`, "cornice"), n > 2 ? path(`M${x + w / 2 - 16} ${top}v-7h6v-6h20v6h6v7Z`, `fac ${STONE[site.value]}`) : "");
  for (let f = 0; f < n; f++) for (let i = 0; i < 5; i++) out.push(rect(x + 9 + i * ((w - 18) / 5) + 3, top + 6 + f * fl * .98, (w - 18) / 5 - 6, +(fl * .58).toFixed(1), held && R() < .75 ? "win lit" : "win"));
  out.push(rect(x + 3, G - shop, w - 6, 17, "sign"), t(x + 21, G - shop + 13, name, "start signt"), icon(ic, x + 12, G - shop + 8.5, 13, "signic"));
  out.push(rect(x + 6, G - 23, 30, 23, held ? "glasspane lit" : "glasspane"), rect(x + w - 36, G - 23, 30, 23, held ? "glasspane lit" : "glasspane"), rect(x + w / 2 - 9, G - 23, 18, 23, "doorway"));
  if (held) out.push(g(x, G - 23, { class: `awn p${site.owner} ${site.owner % 2 ? "odd" : "even"}` }, rect(3, 0, w - 6, 8, "awning"), path(Array.from({ length: 6 }, (_, i) => `M${3 + i * (w - 6) / 6} 8q${(w - 6) / 12} 6 ${(w - 6) / 6} 0`).join(""), "awning")));
  if (held) out.push(rect(x, G, w, ph, "walk on"));
  // the need, on the roof; the worth standing there, on the pavement
  out.push(g(x + w - 17, top - 1, { class: "need" }, rect(-15, -16, 30, 16, "needbox"), t(0, -4, site.value, "needn")));
  if (held) {
    out.push(standing(site, x, G, w, ph), g(x + w - 4, G + ph - 4, { class: `sum p${site.owner}` }, rect(-40, -20, 40, 20, "sumbox"), t(-20, -5.5, `$${site.total}k`, "sumn", { "data-room": 36 })));
  } else out.push(g(x + w - 4, G + 6, { class: "lamppost" }, path("M0 4V-20M-4-20H4", "post"), circ(0, -24, 4.5, "bulb")), R() < .45 ? g(x + w / 2 + 8, G + ph - 22, { class: "parked" }, el("g", { transform: "scale(1.5)" }, PARKED)) : "");
  return el("g", { "data-site": site.site, "data-owner": site.owner, "data-total": site.total }, title(`${name}: ${held ? `held with ${crew(site)}` : "free"}; needs ${site.value}`), out);
}
/** A house on a phone where many are held: a strip of its façade with the need, its sign, its awning, and who stands there. */
function plot(site, x, y, w, h) {
  const [, name] = KIND[site.site.slice(0, -1)], ph = Math.min(52, Math.max(38, h - 58)), roof = h - 25 - ph, rows = Math.max(1, Math.floor(roof / 12));
  const R = rnd(site.site.length * 71 + site.value), across = w > 90 ? 6 : 4, windows = Array.from({ length: rows * across }, (_, i) => rect(x + 5 + 11 * (i % across), y + 3 + 12 * Math.floor(i / across), 7, Math.min(8, roof - 5), R() < .75 ? "win lit" : "win"));
  return el("g", { "data-site": site.site, "data-owner": site.owner, "data-total": site.total }, title(`${name}: held with ${crew(site)}; needs ${site.value}`), rect(x, y, w, roof + 25, `fac ${STONE[site.value]}`), path(`M${x - 1} ${y}H${x + w + 1}`, "cornice"), windows,
    g(x + w - 2, y + Math.max(roof, 16), { class: "need" }, rect(-27, -15, 27, 15, "needbox"), t(-13.5, -3.5, site.value, "needn")), rect(x, y + roof, w, 17, "sign"), t(x + w / 2, y + roof + 13, name, "signt"),
    g(x, y + roof + 17, { class: `awn p${site.owner} ${site.owner % 2 ? "odd" : "even"}` }, rect(1, 0, w - 2, 7, "awning")), rect(x, y + h - ph, w, ph, "walk on"), standing(site, x, y + h - ph + 2, w, ph - 2), g(x + w - 2, y + h - 2, { class: `sum p${site.owner}` }, rect(-40, -18, 40, 18, "sumbox"), t(-20, -4.5, `$${site.total}k`, "sumn", { "data-room": 36 })));
}
/** As many busts as there are in a box, smaller where there are many. */
function crowd(list, x, y, w, h, at, { most = 1, cls = "" } = {}) {
  const tall = (s) => (s < .8 ? 37 : 52), fits = (s) => Math.floor(w / (33 * s)) * Math.floor(h / (tall(s) * s)) >= list.length;
  const s = [1, .85, .7, .6, .5, .4, .32, .26].find((one) => one <= most && fits(one)) ?? .2, columns = Math.max(1, Math.floor(w / (33 * s)));
  const across = Math.min(columns, list.length), left = x + (w - across * 33 * s) / 2 + 16.5 * s;
  return list.map(([seat, role], i) => member(seat, role, left + 33 * s * (i % columns), y + 15 * s + tall(s) * s * Math.floor(i / columns), { s, worth: s >= .8, cls, at }));
}
function shop(b, x, y, w, h, named = true) {
  const [ic, name] = SHOP[b.site], held = b.owner !== null, sign = named ? y + h * .5 : y + h - 14;
  return el("g", { "data-legal": b.site, "data-owner": b.owner }, title(`${name}${held ? ", open" : ""}`), rect(x, y + 8, w, h - 8, "fac cream"), path(`M${x - 2} ${y + 8}H${x + w + 2}`, "cornice"), icon(ic, x + w / 2, y + 8 + (sign - y - 8) / 2, 19, "shopic"), named ? rect(x + 3, sign, w - 6, 16, "sign legal") + t(x + w / 2, sign + 12.5, name, "signt") : "",
    held ? guard(b.owner, x + w / 2 - 8, y + h - 10) + mark(b.owner, x + w / 2 + 14, y + h - 10, 13) : rect(x + w / 2 - 7, y + h - (named ? 17 : 11), 14, named ? 17 : 11, "doorway"));
}
function prison(families, x, y, w, h) {
  const cw = w / 3, top = h < 80 ? 5 : 28;
  return el("g", { "data-jail": true }, title("Prison"), rect(x, y, w, h, "jail"), h < 80 ? "" : t(x + 9, y + 18, "Prison", "d start jailt"), ["3", "2", "1"].map((block, i) => {
    const inside = families.flatMap((f, seat) => f.prison[block].map((m) => [seat, m])), cx = x + cw * i;
    const bars = path(Array.from({ length: 5 }, (_, n) => `M${cx + 5 + (cw - 10) / 5 * (n + .5)} ${y + top}v${h - top - 6}`).join(""), "bars");
    return rect(cx + 5, y + top, cw - 10, h - top - 6, "cellbg") + crowd(inside, cx + 6, y + top + 4, cw - 12, h - top - 28, `prison${block}`).join("") + bars + g(cx + cw / 2, y + h - 8, {}, rect(-cw / 2 + 5, -13, cw - 10, 16, "jailtag"), t(0, -1, `${block} ${block !== "1" ? "yrs" : w < 130 ? "yr" : "year"}`, "jailn"));
  }));
}
function harbour(families, x, y, w, h) {
  const dead = families.flatMap((f, seat) => f.harbour.map((m) => [seat, m])), rows = Math.max(1, Math.floor((h - 30) / 34));
  const waves = Array.from({ length: rows * 4 }, (_, i) => `M${x + 8 + (i % 4) * (w - 16) / 4} ${y + 42 + Math.floor(i / 4) * 34}q5-5 10 0t10 0`).join("");
  return el("g", {}, rect(x, y, w, h, "water"), path(waves, "wave"), rect(x, y, w, 24, "pier"), t(x + 9, y + 17, "Harbour", "d start"), t(x + w - 8, y + 17, w < 130 ? dead.length : `${dead.length} sunk`, "end s12"), crowd(dead, x + 3, y + 28, w - 6, h - 30, "harbour", { most: .7, cls: "sunk" }));
}
const RESTS = { penthouse: "Penthouse", barber: "Barber", restaurant: "Dining" };
function rest(state, kind, x, y, w, h) {
  const list = state.rests[kind].map((m) => [m.seat, m.member]);
  return el("g", { "data-rest": kind }, rect(x, y + 8, w, h - 8, "fac cream"), path(`M${x - 2} ${y + 8}H${x + w + 2}`, "cornice"), rect(x + 3, y + 13, w - 6, 17, "sign rest"), t(x + w / 2, y + 26, RESTS[kind], "signt"),
    list.length ? "" : path(`M${x + 12} ${y + h}V${y + 50}A${w / 2 - 12} 14 0 0 1 ${x + w - 12} ${y + 50}V${y + h}`, "arch"), crowd(list, x + 2, y + 34, w - 4, h - 36, kind));
}
function park(families, x, y, w, h) {
  const columns = h < 100 ? 2 : 1, rows = Math.ceil(families.length / columns), step = Math.min(22, (h - 30) / rows), trees = [[.28, .3], [.75, .26]];
  return el("g", {}, rect(x, y, w, h, "lawn"), t(x + 8, y + 18, "Park", "d start"), h > 140 ? trees.map(([p, q]) => g(x + w * p, y + h * q, {}, circ(0, -4, 9, "leaf"), rect(-1.5, 3, 3, 7, "trunk"))) : "",
    families.map((f, seat) => (f.park ? g(x + (columns > 1 ? 10 + (w / 2 - 1) * (seat % 2) : 14), y + h - 9 - step * (rows - 1 - Math.floor(seat / columns)), { "data-guards": f.park, "data-seat": seat, "data-at": "park" }, guard(seat, 0, 0), t(columns > 1 ? 8 : 12, 4, `×${f.park}`, "start b")) : "")));
}

// ---- layouts: feet of the two streets, storeys, pavement, and the row below ----
const LAYOUTS = {
  wide: { size: [1028, 686], feet: [180, 414], fl: 24, ph: 78, below: 498, shop: 84, base: 172 },
  low: { size: [1028, 580], feet: [148, 354], fl: 17, ph: 68, below: 430, shop: 70, base: 144 },
};
const houseOn = kept((site, layout, i) => house(site, ...place(LAYOUTS[layout], i), 98, { seed: i + 1, fl: LAYOUTS[layout].fl, ph: LAYOUTS[layout].ph }));
const shopAt = kept((b, x, y, w, h, isNamed = true) => shop(b, x, y, w, h, isNamed));
const place = (at, i) => [16 + 100 * Math.floor(i / 2), at.feet[i % 2]];

/** What the last action touched: a site, a shop, a place to rest, the prison. */
function touched(last, before, state) {
  const found = /^at (\w+)/.exec(last.text)?.[1] ?? (/^(put|guards)/.test(last.text) ? before.pending?.place : null) ?? (last.text.startsWith("move") ? before.pending?.card : null);
  return found ?? state.legal.find((one) => last.text === `use ${one.site}`)?.site;
}

// ---- the end: the houses are empty again, and what counts is how far each family has climbed ----
const isSettled = (s) => s.outcome !== null && s.sites.every(({ owner }) => owner === null);
const PLACES = ["1st", "2nd", "3rd", "4th", "5th", "6th"];

/** A family's ten steps, with the highest of those at home on the last that is paid for. */
function climb(s, seat, x, y, w, h) {
  const f = s.families[seat], place = s.outcome.ranks[seat], foot = y + h - 34, up = (h - 84) / 10, step = Math.min(20, (w - 24) / 10), left = x + (w - 10 * step) / 2, right = left + 10 * step, r = f.home[0];
  const steps = STEPS.map((i) => rect(left + i * step, +(foot - up * (i + 1)).toFixed(1), +(step - 1.5).toFixed(1), +(up * (i + 1)).toFixed(1), i < f.marker ? "stepon" : "stepoff"));
  return el("g", { "data-climbed": f.marker, "data-seat": seat }, title(`${PLACES[place - 1]}: ${f.marker} of 10 steps invested, $${f.cash}k in cash`), steps, r ? member(seat, r, Math.max(left + 12, left + step * (f.marker - .5)), foot - up * f.marker - 17, { s: .8, worth: false }) : "",
    path(`M${left - 4} ${foot + 1}H${right + 4}`, "cornice"), mark(seat, left + 8, foot + 18, 16), t(left + 21, foot + 24, PLACES[place - 1], "d start"), t(right, foot + 23, `${f.marker} of 10`, "b end s12"), place === 1 ? brackets(x + w / 2, y + h / 2, w - 8, h - 8, 14) : "");
}

/** All families in the order of their places. */
function million(s, x, y, w, h, columns) {
  const seats = s.families.map((_, seat) => seat).sort((one, other) => s.outcome.ranks[one] - s.outcome.ranks[other]), across = w / columns, down = h / Math.ceil(seats.length / columns);
  return [rect(x, y, w, h, "actbox"), seats.map((seat, i) => climb(s, seat, x + across * (i % columns), y + down * Math.floor(i / columns), across, down))];
}

function wide(s, layout, hot) {
  const at = LAYOUTS[layout];
  const [W, H] = at.size, [G1, G2] = at.feet, B = at.below, streets = [G1, G2].map((G) => rect(-600, G, W + 1200, at.ph + 1, "street-c") + rect(-600, G, W + 1200, 9, "pave") + path(`M-600 ${G + at.ph * .6}H${W + 600}`, "laneline")).join("");
  const ground = rect(-600, -600, W + 1200, H + 1200, "sky") + streets + rect(-600, G2 + at.ph + 2, W + 1200, H, "ground-c");
  const box = (i) => { const [x, G] = place(at, i), h = 40 + at.fl * STOREYS[s.sites[i].value] + at.ph + 20; return brackets(x + 49, G + at.ph + 3 - h / 2, 106, h, 16); };
  const site = s.sites.findIndex((one) => one.site === hot), legal = s.legal.findIndex((one) => one.site === hot), rests = Object.keys(RESTS), room = rests.indexOf(hot), dy = at.shop + 6;
  return { size: at.size, ground, play: [
    t(16, 26, `Year ${s.year}`, "d start"), t(84, 26, isSettled(s) ? "The steps of $100k that each family has invested: ten make the million." : "A roof’s number is the worth that can hold the house; lit houses are held and pay at year’s end.", "m s12 start hint"), t(806, 26, `${s.pile_count} cards left`, "m s12 end"),
    s.sites.map((x, i) => houseOn(x, layout, i)), s.legal.map((b, i) => shopAt(b, 14 + 80 * (i % 4), B + dy * Math.floor(i / 4), 76, at.shop)),
    rests.map((k, i) => rest(s, k, 342 + 78 * i, B, 74, at.base)), prison(s.families, 584, B + 6, 168, at.base - 6), harbour(s.families, 760, B + 6, 176, at.base - 6), park(s.families, 944, B + 6, 72, at.base - 6),
    site >= 0 ? box(site) : "", legal >= 0 ? brackets(52 + 80 * (legal % 4), B + dy * Math.floor(legal / 4) + at.shop / 2 + 3, 84, at.shop, 12) : "", room >= 0 ? brackets(379 + 78 * room, B + at.base / 2 + 2, 82, at.base, 12) : "", hot === "fbi" ? brackets(668, B + at.base / 2 + 3, 174, at.base, 12) : "",
    isSettled(s) ? million(s, 514 - 75 * s.seats, G1 + at.ph + 2, 150 * s.seats, G2 - G1 - 4, s.seats) : ""].flat(1).map((drawn) => [drawn].flat(3).join("")) };
}
// ---- phone: what is held is drawn large, or small where it is much; free houses become a skyline; all of it no taller than a screen ----
const SCREEN = 566;
const BELOW = [{ shop: 46, rest: 76, yard: 88 }, { shop: 38, rest: 62, yard: 74 }, { shop: 32, rest: 54, yard: 66 }];
const CROWDED = [{ h: 73 }, { shop: 28, rest: 46, yard: 50 }]; // all twenty houses
const HOUSES = [{ fl: 20, ph: 78 }, { fl: 14, ph: 66 }, { fl: 11, ph: 60 }, { h: 118 }, { h: 104 }, { h: 92 }, { h: 82 }, { h: 75 }];
const heightOf = (row, { h, fl, ph }) => (h ? h + 5 : 64 + fl * Math.max(...row.map(([x]) => STOREYS[x.value])) + (row.some(([x]) => x.value > 10) ? 11 : 0) + ph);
const columnsOf = (held, { h }) => (h && Math.ceil(held.length / 4) < Math.ceil(held.length / 3) ? 4 : 3);
const rowsOf = (held, at) => { const n = columnsOf(held, at); return Array.from({ length: Math.ceil(held.length / n) }, (_, r) => held.slice(n * r, n * r + n)); };

/** The largest houses and places with which everything fits, as [houses, places]. */
function fitting(held, skyline) {
  const tallness = ([houses, below]) => rowsOf(held, houses).reduce((sum, row) => sum + heightOf(row, houses), 30 + skyline + below.shop + below.rest + below.yard + 16);
  const tried = HOUSES.flatMap((houses) => BELOW.slice(houses.h ? 1 : 0).map((below) => [houses, below]));
  return tried.find((one) => tallness(one) <= SCREEN) ?? CROWDED;
}

function tallHouses(held, at, y, hot) {
  const out = [], rows = rowsOf(held, at), [w, gap] = columnsOf(held, at) === 3 ? [106, 114] : [80, 84.7];
  for (const row of rows) {
    const h = heightOf(row, at), G = y + h - at.ph - 4;
    row.forEach(([x, i], n) => {
      const px = 12 + gap * n, high = at.h ?? 66 + at.ph + at.fl * STOREYS[x.value];
      out.push(at.h ? plot(x, px, y, w, at.h) : house(x, px, G, w, { seed: i + 1, ...at }), x.site === hot ? brackets(px + w / 2, at.h ? y + at.h / 2 : G + at.ph + 3 - high / 2, w + 7, at.h ? at.h + 6 : high, 12) : "");
    });
    y += h;
  }
  return out;
}

function skylineOf(free, y, hot) {
  const w = 334 / Math.max(free.length, 8);
  return [t(12, y + 16, `Free: ${free.length}`, "d start"), path(`M12 ${y + 62}H346`, "cornice"), free.map((x, n) => {
    const h = 16 + STOREYS[x.value] * 10, px = 12 + n * w, [ic, name] = KIND[x.site.slice(0, -1)];
    return el("g", { "data-site": x.site, "data-total": x.total }, title(`${name}, free, needs ${x.value}`), rect(px + 1, y + 62 - h, w - 2, h, `fac ${STONE[x.value]}`), icon(ic, px + w / 2, y + 62 - h / 2, Math.min(18, w - 5), "shopic")) + (x.site === hot ? brackets(px + w / 2, y + 62 - h / 2, w + 3, h + 5, 6) : "");
  })];
}

function tall(s, hot) {
  const held = s.sites.map((x, i) => [x, i]).filter(([x]) => x.owner !== null), free = s.sites.filter((x) => x.owner === null), skyline = free.length ? 68 : 4;
  const columns = [1, 1, 2, 3, 2, 3, 3][s.seats], standings = isSettled(s) ? 120 * Math.ceil(s.seats / columns) : 0;
  const [at, below] = fitting(held, skyline + standings), first = rowsOf(held, at).reduce((sum, row) => sum + heightOf(row, at), 30 + standings), y = first + skyline, rests = Object.keys(RESTS);
  const restsAt = y + below.shop + 4, yard = restsAt + below.rest + 6, size = [358, yard + below.yard + 6], hotShop = s.legal.findIndex((one) => one.site === hot), room = rests.indexOf(hot);
  const marks = [hotShop >= 0 ? brackets(32 + 41.8 * hotShop, y + below.shop / 2 + 3, 44, below.shop - 2, 8) : "", room >= 0 ? brackets(66 + 113 * room, restsAt + below.rest / 2 + 3, 113, below.rest, 10) : "", hot === "fbi" ? brackets(74, yard + below.yard / 2, 130, below.yard + 4, 10) : ""];
  return { size, ground: "", play: [rect(0, 0, ...size, "sky"), t(12, 21, `Year ${s.year}`, "d start"), t(346, 21, standings ? "Steps invested: ten make the million" : `${held.length} of 20 houses held`, "m end"), standings ? million(s, 12, 28, 334, standings - 2, columns) : tallHouses(held, at, 30, hot), free.length ? skylineOf(free, first, hot) : "",
    s.legal.map((b, i) => shopAt(b, 12 + 41.8 * i, y, 40, below.shop, false)), rests.map((k, i) => rest(s, k, 12 + 113 * i, restsAt, 108, below.rest)), prison(s.families, 12, yard, 124, below.yard), harbour(s.families, 142, yard, 116, below.yard), park(s.families, 264, yard, 82, below.yard), marks].flat(1).map((drawn) => [drawn].flat(4).join("")) };
}

export function draw(s, layout, { last, before }) {
  const hot = last && before ? touched(last, before, s) : null;
  return layout === "tall" ? tall(s, hot) : wide(s, layout, hot);
}

/** A house as large as on the wide board, for whoever taps it. */
export function closeUp({ site }, s) {
  const at = s.sites.findIndex((one) => one.site === site);
  return at < 0 ? null : el("svg", { class: "drawn ca", viewBox: `-4 ${92 - 24 * STOREYS[s.sites[at].value]} 114 ${146 + 24 * STOREYS[s.sites[at].value]}`, "aria-hidden": "true" }, house(s.sites[at], 0, 156, 106, { seed: at + 1, fl: 24, ph: 78 }));
}

// ---- a family's card: the million as ten steps, who is at home, what is in hand ----
const NAMES = { penthouse: "Penthouse", barber: "Barber", restaurant: "Restaurant", fbi: "FBI", protection: "Protection", takeover: "Takeover", offer: "Offer" };
const cardName = (name) => NAMES[name] ?? (KIND[name] ?? SHOP[name])?.[1] ?? name;

/** A card in hand: its picture stands alone where there is no room for its name. */
const inHand = (name) => el("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true" }, title(cardName(name)), icon(pictureOf(name), 0, 0, 24, "ic")) + el("span", {}, esc(cardName(name)));

export function holdings(s, seat) {
  const f = s.families[seat], known = s.hands[seat], hand = known ?? Array.from({ length: f.hand_count }, () => "?");
  const steps = Array.from({ length: 10 }, (_, i) => rect(2 + i * 10, 44 - (8 + i * 3.6), 8.5, 8 + i * 3.6, i < f.marker ? "stepon" : "stepoff"));
  const heads = ROLES.map((r, i) => { const home = f.home.includes(r), dead = f.harbour.includes(r), x = 124 + 24.5 * i; return member(seat, r, x, 14, { s: .68, worth: false, cls: home ? "" : dead ? "dead" : "away", at: home ? "home" : null }) + t(x, 42, VALUES[r], `hv ${home ? "b" : "m"}`) + (dead ? path(`M${x - 9} 4l18 24`, "strike") : ""); });
  const drawn = el("svg", { class: `drawn fam p${seat}`, viewBox: "0 0 312 46", role: "img", "aria-label": `${f.marker} of 10 steps invested; at home: ${f.home.map((r) => r.replace("_", " ")).join(", ") || "nobody"}`, "data-cash": f.cash, "data-marker": f.marker, "data-guards": f.guards, "data-seat": seat, "data-at": "home" }, steps, heads);
  return [drawn, el("ul", { class: "hand", "aria-label": "Hand" }, hand.map((name) => el("li", { class: name === "?" ? "back" : null, "data-hand": seat, "data-card": name }, name === "?" ? el("span", { class: "visually-hidden" }, "hidden card") : inHand(name))))];
}

export function facts(s, seat) {
  const f = s.families[seat];
  return [["cash", `$${f.cash}k`], ["invested", `${f.marker} of 10`], ["guards", f.guards]];
}

// ---- choosing: the steps of an action, where each stands on the board, and how it looks in the tray ----
const ANYWHERE = ["protection", "takeover", "offer"]; // cards that no place of the board stands for

/** A card is taken from the hand, then shown at its place or laid aside. */
export function parts(text) {
  const [verb, what, whom] = text.split(" ");
  if (verb === "use") return [`card ${what}`, ANYWHERE.includes(what) ? "use" : what];
  if (verb === "discard") return [`card ${what}`, "discard"];
  if (verb === "guards") return ["bodyguards", text];
  return verb === "at" ? [what] : verb === "move" ? [`${what} ${whom}`] : [text];
}

/** What stands for a key on the board: a card's kind has both its houses. */
export function spots(s) {
  const found = { fbi: "[data-jail]" };
  for (const { site } of s.sites) { found[site] = `[data-site="${site}"]`; found[site.slice(0, -1)] = `[data-site="${site.slice(0, -1)}1"], [data-site="${site.slice(0, -1)}2"]`; }
  for (const { site } of s.legal) found[site] = `[data-legal="${site}"]`;
  for (const kind of Object.keys(RESTS)) found[kind] = `[data-rest="${kind}"]`;
  s.families.forEach((_, seat) => ROLES.forEach((role) => { found[`${seat} ${role}`] = `[data-member="${role}"][data-seat="${seat}"]`; }));
  return found;
}

const CARD_ICON = { penthouse: "tophat", barber: "bob", restaurant: "dish", fbi: "badge", protection: "shield", takeover: "hand", offer: "horse" };
const pictureOf = (name) => (KIND[name] ?? SHOP[name])?.[0] ?? CARD_ICON[name];
const small = (...drawn) => el("svg", { class: "drawn", viewBox: "-24 -26 48 52", "aria-hidden": "true" }, drawn);
const playing = (name) => small(rect(-18, -23, 36, 46, "cc-card"), icon(pictureOf(name), 0, 0, 28, "chip"));
const STEPS = Array.from({ length: 10 }, (_, i) => i);
const counted = (n, one) => `${n || "no"} ${one}${n === 1 ? "" : "s"}`;
const PIECES = {
  card: (s, names, name) => ({ label: cardName(name), drawn: playing(name) }),
  return: (s, names, name) => ({ label: `return ${cardName(name)}`, drawn: playing(name) }),
  bodyguards: (s) => ({ label: "bodyguards", drawn: small(STEPS.slice(0, 3).map((i) => guard(s.to_act, -12 + 12 * i, 0, 1.2))) }),
  put: (s, names, role) => ({ label: role.replace("_", " "), drawn: small(member(s.to_act, role, 0, -9)) }),
  bail: (s, names, role) => ({ label: `bail ${role.replace("_", " ")}`, drawn: small(member(s.to_act, role, 0, -9), path("M-14-24V24M-5-24V24M5-24V24M14-24V24", "bars")) }),
  guards: (s, names, n) => ({ label: counted(Number(n), "guard"), drawn: small(STEPS.slice(0, Math.min(n, 8)).map((i) => guard(s.to_act, -18 + 12 * (i % 4), i < 4 ? -10 : 12))) }),
  rehire: (s, names, n) => ({ label: `rehire ${n === "0" ? "nobody" : n}`, drawn: small(STEPS.slice(0, Math.min(n, 8)).map((i) => guard(s.to_act, -18 + 12 * (i % 4), i < 4 ? -10 : 12))) }),
  invest: (s, names, n) => ({ label: n === "0" ? "invest nothing" : `$${n}00k`, drawn: small(STEPS.map((i) => rect(-22 + i * 4.5, 20 - 4 * (i + 1), 3.6, 4 * (i + 1), i < s.families[s.to_act].marker + Number(n) ? "stepon" : "stepoff"))) }),
  charge: (s, names, seat) => ({ label: `${names[seat]} pays`, drawn: small(mark(Number(seat), 0, 0, 34)) }),
  use: () => ({ label: "Play it", drawn: small(icon("up", 0, 0, 34, "chip")) }),
  discard: () => ({ label: "Lay aside", drawn: small(rect(-16, -22, 32, 44, "cc-card"), path("M-10-22v44M-3-22v44M4-22v44M11-22v44", "flute")) }),
  done: () => ({ label: "Keep the rest", drawn: small(rect(-20, -16, 26, 38, "cc-card"), rect(-6, -22, 26, 38, "cc-card")) }),
};

/** A key as it lies in the tray; places and members by the pictures that they have on the board. */
export function piece(key, s, names) {
  const [kind, what] = key.split(" ");
  if (PIECES[kind]) return PIECES[kind](s, names, what);
  if (what) return { label: `${names[Number(kind)]}: ${what.replace("_", " ")}`, drawn: small(member(Number(kind), what, 0, -9)) };
  const site = s.sites.find((one) => one.site === key);
  return { label: site ? `${site.site.endsWith("1") ? "First" : "Second"} ${cardName(key.slice(0, -1)).toLowerCase()}, ${site.owner === null ? "free" : names[site.owner]}` : `Play it: ${cardName(key).toLowerCase()}`, drawn: playing(site ? key.slice(0, -1) : key) };
}

/** The position in words, with {0} for the name of seat 0. */
export function describe(s) {
  const held = s.sites.filter(({ owner }) => owner !== null).map((one) => `${one.site.endsWith("1") ? "first" : "second"} ${cardName(one.site.slice(0, -1)).toLowerCase()}: {${one.owner}} with ${crew(one)}`);
  const resting = Object.entries(s.rests).flatMap(([kind, there]) => there.map(({ seat, member: role }) => `{${seat}}’s ${role.replace("_", " ")} in the ${kind}`));
  return `Year ${s.year}. Houses held: ${held.join("; ") || "none"}. ${resting.length ? `Resting: ${resting.join(", ")}. ` : ""}${s.families.map((f, seat) => `{${seat}} has invested ${f.marker} of 10 steps.`).join(" ")}`;
}
