// Capone: twenty illegal sites, the legal businesses, rest places, prison, harbour, park, and a strip for each family.
import { brackets, flutes, group, line, plural, rect, seatMark, svg, text, words } from "../pieces.js";

export const key = "A chip is a member: seat mark and value; a mark with ×n is n bodyguards of 5. Bars on a site count its colour (5, 10, 20, 30). Barred: prison. Dashed chip in a family: away from home; struck out: dead. Fluted cards are not shown.";

const VALUES = { don: 100, mamma: 60, right_hand: 50, collector: 40, lawyer: 40, accountant: 30, secretary: 30, novice: 20 };
const MEMBERS = Object.keys(VALUES);
const BARS = { 5: 1, 10: 2, 20: 3, 30: 4 };
const SITE = { x: 10, y: 44, width: 118, height: 100 };
const AREA = { y: 262, height: 100 };
const STRIP = { y: 384, height: 66 };
const SHORT = { exchange_office: "exchange", printing_works: "printing", weapons_shop: "weapons" }; // a site is 112 wide
const RESTS = ["penthouse", "barber", "restaurant"];

/** A member: oblong with seat mark and value. */
function chip(seat, member, x, y, at, attributes = {}) {
  return group(x, y, { class: `p${seat}`, "data-member": member, "data-seat": seat, "data-at": at, "data-key": at.startsWith("home") ? null : `${seat}${member}`, ...attributes },
    svg("title", {}, `${words(member)}, ${VALUES[member]}`), rect(0, 0, 50, 20, { class: "hollow" }), seatMark(seat, 12, 10, 13), text(34, 15, VALUES[member], { class: "glyph small" }));
}

function guards(seat, count, x, y, at) {
  if (!count) return [];
  return group(x, y, { "data-guards": count, "data-seat": seat, "data-at": at }, svg("title", {}, plural(count, "bodyguard")), seatMark(seat, 10, 10, 16), text(22, 15, `×${count}`, { class: "strong start" }));
}

function sitePoint(index) {
  return [SITE.x + SITE.width * Math.floor(index / 2), SITE.y + (SITE.height + 4) * (index % 2)];
}

function drawSite(site, index) {
  const [x, y] = sitePoint(index);
  const bars = Array.from({ length: BARS[site.value] ?? 1 }, (_, i) => rect(x + 4 + 8 * i, y + 20, 6, 4, { class: "inkfill" }));
  const parts = [rect(x, y, SITE.width - 6, SITE.height, { class: site.owner === null ? "cell" : "ground" }), text(x + 5, y + 15, SHORT[site.site.slice(0, -1)] ?? words(site.site.slice(0, -1)), { class: "start tiny" }),
    text(x + SITE.width - 11, y + 16, site.value, { class: "end strong" }), bars];
  if (site.owner === null) return svg("g", { "data-site": site.site, "data-total": 0 }, parts);
  site.members.forEach((member, i) => parts.push(chip(site.owner, member, x + 3 + 54 * (i % 2), y + 29 + 23 * Math.floor(i / 2), site.site)));
  parts.push(guards(site.owner, site.guards, x + 2, y + 78, site.site), text(x + SITE.width - 11, y + 93, site.total, { class: "end" }));
  return svg("g", { "data-site": site.site, "data-owner": site.owner, "data-total": site.total }, parts);
}

function legal(state) {
  return state.legal.map((business, i) => {
    const [x, y] = [10 + 96 * (i % 4), AREA.y + 52 * Math.floor(i / 4)];
    return svg("g", { "data-legal": business.site, "data-owner": business.owner }, rect(x, y, 92, 48, { class: business.owner === null ? "cell" : "ground" }),
      text(x + 5, y + 15, words(business.site), { class: "start tiny" }), business.owner === null ? [] : guards(business.owner, 1, x + 4, y + 22, business.site));
  });
}

function area(x, width, title, chips, attributes = {}) {
  return svg("g", attributes, rect(x, AREA.y, width, AREA.height, { class: "area" }), text(x + 5, AREA.y + 15, title, { class: "start tiny" }), chips);
}

function stack(list, x, y, columns, at) {
  return list.map(([seat, member], i) => chip(seat, member, x + 54 * (i % columns), y + 22 * Math.floor(i / columns), at));
}

function restPlaces(state) {
  return RESTS.map((name, i) => area(404 + 118 * i, 112, words(name), stack(state.rests[name].map((m) => [m.seat, m.member]), 407 + 118 * i, AREA.y + 22, 2, name), { "data-rest": name }));
}

function prison(state) {
  return ["3", "2", "1"].map((block, i) => {
    const x = 764 + 66 * i;
    const inside = state.families.flatMap((family, seat) => family.prison[block].map((member) => [seat, member]));
    const bars = Array.from({ length: 6 }, (_, n) => line(x + 6 + 9.6 * n, AREA.y + 20, x + 6 + 9.6 * n, AREA.y + AREA.height, { class: "flute" }));
    return area(x, 60, i ? block : `prison ${block}`, [bars, stack(inside, x + 5, AREA.y + 22, 1, `prison${block}`)], { "data-prison": block });
  });
}

function harbour(state) {
  const dead = state.families.flatMap((family, seat) => family.harbour.map((member) => [seat, member]));
  const shown = dead.map(([seat, member], i) => svg("g", { transform: `translate(${968 + 28 * (i % 5)} ${AREA.y + 20 + 13 * Math.floor(i / 5)}) scale(.52)` }, chip(seat, member, 0, 0, "harbour", { "data-key": null })));
  return area(964, 144, "harbour", shown, { "data-harbour": dead.length });
}

function park(state) {
  const there = state.families.map((family, seat) => guards(seat, family.park, 1116 + 36 * (seat % 2), AREA.y + 20 + 26 * Math.floor(seat / 2), "park"));
  return area(1112, 78, "park", there);
}

const FIRST_LINE = { pawnbroker: "pawn", restaurant: "restau-", protection: "protec-" };
const SECOND_LINE = { pawnbroker: "broker", restaurant: "rant", protection: "tion" };

function card(name, x, y, attributes = {}) {
  if (!name) return group(x, y, { "data-card": "?", ...attributes }, rect(0, 0, 26, 38, { class: "card" }), group(13, 19, {}, flutes(26, 26, 3)));
  const [first, second] = name in FIRST_LINE ? [FIRST_LINE[name], SECOND_LINE[name]] : words(name).split(" ");
  return group(x, y, { "data-card": name, ...attributes }, rect(0, 0, 58, 38, { class: "card" }), text(29, second ? 16 : 23, first, { class: "tiny" }), second ? text(29, 29, second, { class: "tiny" }) : []);
}

function hand(state, seat, y) {
  const known = state.hands[seat];
  const cards = known ?? Array.from({ length: state.families[seat].hand_count }, () => null);
  return cards.map((name, i) => card(name, 876 + (known ? 62 : 30) * i, y + 12, { "data-hand": seat }));
}

function investment(family, x, y) {
  return svg("g", { "data-marker": family.marker }, Array.from({ length: 10 }, (_, i) => rect(x + 13 * i, y, 11, 12, { class: i < family.marker ? "inkfill" : "card" })));
}

function memberSlot(state, seat, member, x, y) {
  const family = state.families[seat];
  if (family.home.includes(member)) return chip(seat, member, x, y, "home");
  const isDead = family.harbour.includes(member);
  return svg("g", { opacity: 0.75 }, rect(x, y, 50, 20, { class: "card taken" }), text(x + 25, y + 15, VALUES[member], { class: "tiny" }), isDead ? line(x, y + 20, x + 50, y, { class: "inkline" }) : []);
}

function strip(state, seat, names) {
  const family = state.families[seat];
  const y = STRIP.y + STRIP.height * seat;
  const name = names[seat] ?? "";
  return svg("g", { "data-family": seat },
    rect(10, y, 1180, STRIP.height - 6, { class: state.to_act === seat ? "here" : "area" }), seatMark(seat, 32, y + 20, 22),
    text(50, y + 24, name.length > 15 ? `${name.slice(0, 14)}…` : name, { class: "strong start" }), text(22, y + 48, `${family.name}${state.first === seat ? ", first" : ""}`, { class: "start tiny" }),
    text(190, y + 24, `${family.cash} cash`, { class: "strong start", "data-cash": family.cash, "data-seat": seat }), investment(family, 190, y + 36), text(328, y + 47, family.marker, { class: "start" }),
    MEMBERS.map((member, i) => memberSlot(state, seat, member, 354 + 54 * (i % 8), y + 8)),
    guards(seat, family.guards, 354, y + 33, "home"), text(430, y + 48, family.lost ? `${plural(family.lost, "bodyguard")} lost` : "", { class: "start tiny" }),
    hand(state, seat, y));
}

function lastPlace(last, before, state) {
  const found = /^at (\w+)/.exec(last.text)?.[1] ?? (/^(put|guards)/.test(last.text) ? before?.pending?.place : null);
  const index = state.sites.findIndex((site) => site.site === found);
  if (index >= 0) return brackets(sitePoint(index)[0] + 56, sitePoint(index)[1] + 50, 118, 106);
  const rest = RESTS.indexOf(found);
  if (rest >= 0) return brackets(404 + 118 * rest + 56, AREA.y + 50, 118, 106);
  const business = state.legal.findIndex((one) => last.text === `use ${one.site}`);
  return business >= 0 ? brackets(56 + 96 * (business % 4), AREA.y + 24 + 52 * Math.floor(business / 4), 98, 54) : [];
}

export function draw(state, { last, before, seats }) {
  const inUse = state.pending?.card ? `, ${words(state.pending.card)} in use` : "";
  return svg("svg", { viewBox: `0 0 1200 ${STRIP.y + STRIP.height * state.seats + 4}`, "data-phase": state.phase },
    text(10, 28, `Year ${state.year}: ${state.phase}${inUse}`, { class: "title", "data-year": state.year }),
    text(1190, 28, `${plural(state.pile_count, "card")} in the pile, ${state.used.length} used this year`, { class: "end" }),
    state.sites.map(drawSite), legal(state), restPlaces(state), prison(state), harbour(state), park(state),
    Array.from({ length: state.seats }, (_, seat) => strip(state, seat, seats)), last ? lastPlace(last, before, state) : []);
}

const TELL = [
  [/^return/, () => "returned a card"],
  [/^done$/, () => "drew as many cards as were returned"],
  [/^use (\w+)$/, (m) => `used ${words(m[1])}`],
  [/^discard \?$/, () => "laid a card aside unshown"],
  [/^discard (\w+)$/, (m) => `laid ${words(m[1])} aside unshown`],
  [/^at (\w+)$/, (m, before) => `chose ${words(m[1])}${before?.pending?.card ? ` for ${words(before.pending.card)}` : ""}`],
  [/^put (\w+)$/, (m) => `sends ${words(m[1])}`],
  [/^guards (\d+)$/, (m, before) => `sent ${[...(before?.pending?.members ?? []).map(words), plural(Number(m[1]), "bodyguard")].join(", ")}${before?.pending?.place ? ` to ${words(before.pending.place)}` : ""}`],
  [/^bail (\w+)$/, (m) => `paid ${VALUES[m[1]]} to bail ${words(m[1])} out`],
  [/^rehire (\d+)$/, (m) => `rehired ${plural(Number(m[1]), "bodyguard")}`],
  [/^invest (\d+)$/, (m) => `invested ${plural(Number(m[1]), "step")}`],
];

export function tell(last, before, after) {
  const name = (seat) => after.families[seat].name;
  const charged = /^charge (\d)$/.exec(last.text);
  if (charged) return `${name(last.seat)} charged ${name(charged[1])} for protection.`;
  const moved = /^move (\d) (\w+)$/.exec(last.text);
  if (moved) return `${name(last.seat)} moved ${name(moved[1])}’s ${words(moved[2])}${before?.pending?.card ? ` by ${words(before.pending.card)}` : ""}.`;
  for (const [pattern, sentence] of TELL) {
    const found = pattern.exec(last.text);
    if (found) return `${name(last.seat)} ${sentence(found, before)}.`;
  }
  return `${name(last.seat)}: ${last.text}.`;
}
