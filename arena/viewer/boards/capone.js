// Capone: two streets of illegal business; a house is as tall as the worth that can hold it, and lit when somebody does.
import { brackets, circ, el, esc, g, icon, mark, path, rect, rnd, t, title } from "../drawing.js";

export const style = "ca";
export const scene = [206, 66, 420, 210]; // what a small picture shows of the wide layout
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
const guard = (seat, x, y, s = 1) => g(x, y, { class: `fig grd p${seat} ${seat % 2 ? "odd" : "even"}` }, el("g", s === 1 ? {} : { transform: `scale(${s})` }, path("M-6 9V3Q-6-1 0-1T6 3V9Z", "coat"), circ(0, -4, 3.6, "skin"), path("M-4.500-5Q0-10 4.500-5Z", "hat")));
const KIND = { pawnbroker: ["pawn3", "Pawnbroker"], bar: ["glass", "Bar"], jeweller: ["gem", "Jeweller"], nightclub: ["note", "Nightclub"], loan_office: ["money", "Loan office"], casino: ["dice", "Casino"], printing_works: ["press", "Printing"], exchange_office: ["exchange", "Exchange"], bank: ["pillar", "Bank"], weapons_shop: ["crate", "Weapons"] };
const SHOP = { bakery: ["loaf", "Bakery"], flower_shop: ["flower", "Flowers"], laundry: ["wash", "Laundry"], grocery: ["basket", "Grocery"], pizzeria: ["pizza", "Pizzeria"], cinema: ["film", "Cinema"], garage: ["wrench", "Garage"], taxi_company: ["car", "Taxis"] };
const PARKED = `<path d='M-14 4V-1H-9L-6-7H4L8-1H13V4Z'/><circle cx='-8' cy='5' r='3.600'/><circle cx='7' cy='5' r='3.600'/>`;
const STOREYS = { 5: 1, 10: 2, 20: 3, 30: 4 }, STONE = { 5: "green", 10: "sand", 20: "brick", 30: "slate" };

function house(site, x, G, w, { fl, seed, ph, shopH = 40 }) {
  const kind = site.site.slice(0, -1), [ic, name] = KIND[kind], n = STOREYS[site.value], shop = shopH, top = G - shop - n * fl, R = rnd(seed * 71 + 5), held = site.owner !== null, out = [];
  R();
  out.push(rect(x, top, w, n * fl + shop, `fac ${STONE[site.value]}`), path(`M${x - 3} ${top}H${x + w + 3}`, "cornice"), n > 2 ? path(`M${x + w / 2 - 16} ${top}v-7h6v-6h20v6h6v7Z`, `fac ${STONE[site.value]}`) : "");
  for (let f = 0; f < n; f++) for (let i = 0; i < 5; i++) out.push(rect(x + 9 + i * ((w - 18) / 5) + 3, top + 6 + f * fl, (w - 18) / 5 - 6, fl - 10, held && R() < .75 ? "win lit" : "win"));
  out.push(rect(x + 3, G - shop, w - 6, 17, "sign"), t(x + 24, G - shop + 13, name, "start signt"), icon(ic, x + 13, G - shop + 8.5, 13, "signic"));
  out.push(rect(x + 6, G - 23, 30, 23, held ? "glasspane lit" : "glasspane"), rect(x + w - 36, G - 23, 30, 23, held ? "glasspane lit" : "glasspane"), rect(x + w / 2 - 9, G - 23, 18, 23, "doorway"));
  if (held) out.push(g(x, G - 23, { class: `awn p${site.owner} ${site.owner % 2 ? "odd" : "even"}` }, rect(3, 0, w - 6, 8, "awning"), path(Array.from({ length: 6 }, (_, i) => `M${3 + i * (w - 6) / 6} 8q${(w - 6) / 12} 6 ${(w - 6) / 6} 0`).join(""), "awning")));
  if (held) out.push(rect(x, G, w, ph, "walk on"));
  // the need, on the roof; the worth standing there, on the pavement
  out.push(g(x + w - 17, top - 1, { class: "need" }, rect(-15, -16, 30, 16, "needbox"), t(0, -4, site.value, "needn")));
  if (held) {
    const m = site.members, few = m.length <= 2;
    if (few) m.forEach((r, i) => out.push(member(site.owner, r, x + 18 + 32 * i, G + 16, { at: site.site })));
    else { const gap = Math.min(22, (w - 22) / (m.length - 1)); m.forEach((r, i) => out.push(member(site.owner, r, x + 11 + gap * i, G + 15, { s: .7, worth: false, at: site.site }))); out.push(t(x + 5, G + 44, m.length < 6 ? m.map((r) => VALUES[r]).join(" ") : `${m.length} members`, "start b s11")); }
    const low = m.length > 1, left = low ? x + 8 : x + 9 + 33 * m.length, per = low ? 8 : Math.max(1, Math.floor((x + w - left) / 13)), gy = low ? G + ph - 11 : G + 13;
    for (let i = 0; i < site.guards; i++) out.push(guard(site.owner, left + (low ? Math.min(13, 44 / site.guards) : 13) * (i % per), gy + 20 * Math.floor(i / per)));
    out.push(g(x + w - 4, G + ph - 4, { class: `sum p${site.owner}` }, rect(-40, -20, 40, 20, "sumbox"), t(-20, -5.5, `$${site.total}k`, "sumn")));
  } else out.push(g(x + w - 4, G + 6, { class: "lamppost" }, path("M0 4V-20M-4-20H4", "post"), circ(0, -24, 4.5, "bulb")), R() < .45 ? g(x + w / 2 + 8, G + ph - 22, { class: "parked" }, el("g", { transform: "scale(1.5)" }, PARKED)) : "");
  return el("g", { "data-site": site.site, "data-owner": site.owner, "data-total": site.total }, out);
}
/** As many busts as there are in a box, smaller where there are many. */
function crowd(list, x, y, w, h, at, { most = 1, cls = "" } = {}) {
  const tall = (s) => (s < .8 ? 37 : 52), fits = (s) => Math.floor(w / (33 * s)) * Math.floor(h / (tall(s) * s)) >= list.length;
  const s = [1, .85, .7, .6, .5, .4, .32, .26].find((one) => one <= most && fits(one)) ?? .2, columns = Math.max(1, Math.floor(w / (33 * s)));
  const across = Math.min(columns, list.length), left = x + (w - across * 33 * s) / 2 + 16.5 * s;
  return list.map(([seat, role], i) => member(seat, role, left + 33 * s * (i % columns), y + 15 * s + tall(s) * s * Math.floor(i / columns), { s, worth: s >= .8, cls, at }));
}
function shop(b, x, y, w, h) {
  const [ic, name] = SHOP[b.site], held = b.owner !== null, sign = y + h * .5;
  return el("g", { "data-legal": b.site, "data-owner": b.owner }, title(`${name}${held ? ", open" : ""}`), rect(x, y + 8, w, h - 8, "fac cream"), path(`M${x - 2} ${y + 8}H${x + w + 2}`, "cornice"), icon(ic, x + w / 2, y + 8 + (sign - y - 8) / 2, 19, "shopic"), rect(x + 3, sign, w - 6, 16, "sign legal"), t(x + w / 2, sign + 12.5, name, "signt"),
    held ? guard(b.owner, x + w / 2 - 8, y + h - 10) + mark(b.owner, x + w / 2 + 14, y + h - 10, 13) : rect(x + w / 2 - 7, y + h - 17, 14, 17, "doorway"));
}
function prison(families, x, y, w, h) {
  const cw = w / 3;
  return el("g", {}, rect(x, y, w, h, "jail"), t(x + 9, y + 18, "Prison", "d start jailt"), ["3", "2", "1"].map((block, i) => {
    const inside = families.flatMap((f, seat) => f.prison[block].map((m) => [seat, m])), cx = x + cw * i;
    const bars = path(Array.from({ length: 5 }, (_, n) => `M${cx + 5 + (cw - 10) / 5 * (n + .5)} ${y + 28}v${h - 34}`).join(""), "bars");
    return rect(cx + 5, y + 28, cw - 10, h - 34, "cellbg") + crowd(inside, cx + 6, y + 32, cw - 12, h - 56, `prison${block}`).join("") + bars + g(cx + cw / 2, y + h - 8, {}, rect(-cw / 2 + 5, -13, cw - 10, 16, "jailtag"), t(0, -1, `${block} ${block === "1" ? "year" : "yrs"}`, "jailn"));
  }));
}
function harbour(families, x, y, w, h) {
  const dead = families.flatMap((f, seat) => f.harbour.map((m) => [seat, m])), rows = Math.max(1, Math.floor((h - 30) / 34));
  const waves = Array.from({ length: rows * 4 }, (_, i) => `M${x + 8 + (i % 4) * (w - 16) / 4} ${y + 42 + Math.floor(i / 4) * 34}q5-5 10 0t10 0`).join("");
  return el("g", {}, rect(x, y, w, h, "water"), path(waves, "wave"), rect(x, y, w, 24, "pier"), t(x + 9, y + 17, "Harbour", "d start"), t(x + w - 8, y + 17, `${dead.length} sunk`, "end s12"), crowd(dead, x + 3, y + 28, w - 6, h - 30, "harbour", { most: .7, cls: "sunk" }));
}
const RESTS = { penthouse: "Penthouse", barber: "Barber", restaurant: "Dining" };
function rest(state, kind, x, y, w, h) {
  const list = state.rests[kind].map((m) => [m.seat, m.member]);
  return el("g", {}, rect(x, y + 8, w, h - 8, "fac cream"), path(`M${x - 2} ${y + 8}H${x + w + 2}`, "cornice"), rect(x + 3, y + 13, w - 6, 17, "sign rest"), t(x + w / 2, y + 26, RESTS[kind], "signt"),
    list.length ? "" : path(`M${x + 12} ${y + h}V${y + 50}A${w / 2 - 12} 14 0 0 1 ${x + w - 12} ${y + 50}V${y + h}`, "arch"), crowd(list, x + 2, y + 34, w - 4, h - 36, kind));
}
function park(families, x, y, w, h) {
  const step = Math.min(22, (h - 40) / families.length), trees = [[.28, .3], [.75, .26]];
  return el("g", {}, rect(x, y, w, h, "lawn"), t(x + 8, y + 18, "Park", "d start"), h > 140 ? trees.map(([p, q]) => g(x + w * p, y + h * q, {}, circ(0, -4, 9, "leaf"), rect(-1.5, 3, 3, 7, "trunk"))) : "",
    families.map((f, seat) => (f.park ? g(x + 14, y + h - 8 - step * (families.length - 1 - seat), { "data-guards": f.park, "data-seat": seat, "data-at": "park" }, guard(seat, 0, 0), t(12, 4, `×${f.park}`, "start b")) : "")));
}

// ---- layouts: feet of the two streets, storeys, pavement, and the row below ----
const LAYOUTS = {
  wide: { size: [1028, 686], feet: [180, 414], fl: 24, ph: 78, below: 498, shop: 84, base: 172 },
  low: { size: [1028, 580], feet: [148, 354], fl: 17, ph: 68, below: 430, shop: 70, base: 144 },
};
const place = (at, i) => [16 + 100 * Math.floor(i / 2), at.feet[i % 2]];

/** What the last action touched: a site, a shop, a place to rest, the prison. */
function touched(last, before, state) {
  const found = /^at (\w+)/.exec(last.text)?.[1] ?? (/^(put|guards)/.test(last.text) ? before.pending?.place : null) ?? (last.text.startsWith("move") ? before.pending?.card : null);
  return found ?? state.legal.find((one) => last.text === `use ${one.site}`)?.site;
}

function wide(s, at, hot) {
  const [W, H] = at.size, [G1, G2] = at.feet, B = at.below, streets = [G1, G2].map((G) => rect(-600, G, W + 1200, at.ph + 1, "street-c") + rect(-600, G, W + 1200, 9, "pave") + path(`M-600 ${G + at.ph * .6}H${W + 600}`, "laneline")).join("");
  const ground = rect(-600, -600, W + 1200, H + 1200, "sky") + streets + rect(-600, G2 + at.ph + 2, W + 1200, H, "ground-c");
  const box = (i) => { const [x, G] = place(at, i), h = 40 + at.fl * STOREYS[s.sites[i].value] + at.ph + 20; return brackets(x + 49, G + at.ph + 3 - h / 2, 106, h, 16); };
  const site = s.sites.findIndex((one) => one.site === hot), legal = s.legal.findIndex((one) => one.site === hot), rests = Object.keys(RESTS), room = rests.indexOf(hot), dy = at.shop + 6;
  return { size: at.size, ground, play: [
    t(16, 26, `Year ${s.year}`, "d start"), t(84, 26, "A roof’s number is the worth that can hold the house; lit houses are held and pay at year’s end.", "m s12 start hint"), t(806, 26, `${s.pile_count} cards left`, "m s12 end"),
    s.sites.map((x, i) => house(x, ...place(at, i), 98, { seed: i + 1, fl: at.fl, ph: at.ph })), s.legal.map((b, i) => shop(b, 14 + 80 * (i % 4), B + dy * Math.floor(i / 4), 76, at.shop)),
    rests.map((k, i) => rest(s, k, 342 + 78 * i, B, 74, at.base)), prison(s.families, 584, B + 6, 168, at.base - 6), harbour(s.families, 760, B + 6, 176, at.base - 6), park(s.families, 944, B + 6, 72, at.base - 6),
    site >= 0 ? box(site) : "", legal >= 0 ? brackets(52 + 80 * (legal % 4), B + dy * Math.floor(legal / 4) + at.shop / 2 + 3, 84, at.shop, 12) : "", room >= 0 ? brackets(379 + 78 * room, B + at.base / 2 + 2, 82, at.base, 12) : "", hot === "fbi" ? brackets(668, B + at.base / 2 + 3, 174, at.base, 12) : ""].flat(2).join("") };
}
/** Phone: what is held is drawn large; free houses become a skyline. */
function tall(s, hot) {
  const held = s.sites.map((x, i) => [x, i]).filter(([x]) => x.owner !== null), free = s.sites.filter((x) => x.owner === null), out = [];
  let y = 34;
  for (let r = 0; r < held.length; r += 3) {
    const row = held.slice(r, r + 3), G = y + 62 + 20 * Math.max(...row.map(([x]) => STOREYS[x.value])) + (row.some(([x]) => x.value > 10) ? 13 : 0);
    row.forEach(([x, i], n) => { const px = 12 + 114 * n, h = 144 + 20 * STOREYS[x.value]; out.push(house(x, px, G, 106, { seed: i + 1, fl: 20, ph: 78 }), x.site === hot ? brackets(px + 53, G + 82 - h / 2, 113, h, 14) : ""); });
    y = G + 86;
  }
  const fw = 334 / Math.max(free.length, 1);
  free.forEach((x, n) => { const h = 18 + STOREYS[x.value] * 14, px = 12 + n * fw; out.push(el("g", { "data-site": x.site, "data-total": x.total }, title(`${KIND[x.site.slice(0, -1)][1]}, free, needs ${x.value}`), rect(px + 1, y + 84 - h, fw - 2, h, `fac ${STONE[x.value]}`), icon(KIND[x.site.slice(0, -1)][0], px + fw / 2, y + 84 - h / 2, Math.min(18, fw - 5), "shopic"))); });
  if (free.length) out.push(path(`M12 ${y + 84}H346`, "cornice"), t(12, y + 16, `Free: ${free.length}`, "d start"));
  y += free.length ? 96 : 8;
  out.push(s.legal.map((b, i) => shop(b, 12 + 84.5 * (i % 4), y + 70 * Math.floor(i / 4), 80, 66)), Object.keys(RESTS).map((k, i) => rest(s, k, 12 + 113 * i, y + 144, 108, 92)), prison(s.families, 12, y + 246, 130, 124), harbour(s.families, 150, y + 246, 134, 124), park(s.families, 292, y + 246, 54, 124));
  const size = [358, y + 380];
  return { size, ground: "", play: [rect(0, 0, ...size, "sky"), t(12, 24, `Year ${s.year}`, "d start"), t(346, 24, `${held.length} of 20 houses held`, "m end"), out].flat(3).join("") };
}

export function draw(s, layout, { last, before }) {
  const hot = last && before ? touched(last, before, s) : null;
  return layout === "tall" ? tall(s, hot) : wide(s, LAYOUTS[layout], hot);
}

// ---- a family's card: the million as ten steps, who is at home, what is in hand ----
const NAMES = { penthouse: "Penthouse", barber: "Barber", restaurant: "Restaurant", fbi: "FBI", protection: "Protection", takeover: "Takeover", offer: "Offer" };
const cardName = (name) => NAMES[name] ?? (KIND[name] ?? SHOP[name])?.[1] ?? name;

export function holdings(s, seat) {
  const f = s.families[seat], known = s.hands[seat], hand = known ?? Array.from({ length: f.hand_count }, () => "?");
  const steps = Array.from({ length: 10 }, (_, i) => rect(2 + i * 10, 44 - (8 + i * 3.6), 8.5, 8 + i * 3.6, i < f.marker ? "stepon" : "stepoff"));
  const heads = ROLES.map((r, i) => { const home = f.home.includes(r), dead = f.harbour.includes(r), x = 124 + 24.5 * i; return member(seat, r, x, 14, { s: .68, worth: false, cls: home ? "" : dead ? "dead" : "away", at: home ? "home" : null }) + t(x, 42, VALUES[r], `hv ${home ? "b" : "m"}`) + (dead ? path(`M${x - 9} 4l18 24`, "strike") : ""); });
  const drawn = el("svg", { class: `drawn fam p${seat}`, viewBox: "0 0 312 46", role: "img", "aria-label": `${f.marker} of 10 steps invested; at home: ${f.home.map((r) => r.replace("_", " ")).join(", ") || "nobody"}`, "data-cash": f.cash, "data-marker": f.marker, "data-guards": f.guards, "data-seat": seat, "data-at": "home" }, steps, heads);
  return drawn + el("ul", { class: "hand", "aria-label": "Hand" }, hand.map((name) => el("li", { class: name === "?" ? "back" : null, "data-hand": seat, "data-card": name }, name === "?" ? el("span", { class: "visually-hidden" }, "hidden card") : esc(cardName(name)))));
}

export function facts(s, seat) {
  const f = s.families[seat];
  return [["cash", `$${f.cash}k`], ["invested", `${f.marker} of 10`], ["bodyguards", f.guards]];
}
