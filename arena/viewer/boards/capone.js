// Capone: twenty illegal sites, the legal businesses, rest places, prison, harbour, park, and a strip for each family.
import { brackets, flutes, group, line, listed, plural, rect, seatMark, svg, text, words } from "../pieces.js";

export const key = [
  "Who first has invested ten steps of $100k wins. A chip on a site is a member with its worth, a mark with ×n is n bodyguards worth 5 each; at the year’s end a family earns the worth of its pieces on illegal sites. All money is in thousands of dollars. Who attacks a site needs more worth than stands there; defending members die.",
  "The number on a site is the least worth that can hold it, with bars for its colour (5, 10, 20, 30). Barred: prison, left after up to three years or by bail. Dashed member of a family: away from home; struck out: dead. Fluted cards are not shown.",
];
export const seatNames = ["Armaretto", "Mascapone", "Vinorosso", "Ramazotti", "Kaputtschino", "Zappajone"];

const VALUES = { don: 100, mamma: 60, right_hand: 50, collector: 40, lawyer: 40, accountant: 30, secretary: 30, novice: 20 };
const MEMBERS = Object.keys(VALUES);
const BARS = { 5: 1, 10: 2, 20: 3, 30: 4 };
const SITE = { x: 10, y: 44, width: 118, height: 124 };
const AREA = { y: 308, height: 116 };
const STRIP = { y: 462, height: 66 };
const HEADS = { don: "Don", mamma: "Mamma", right_hand: "Right h.", collector: "Collector", lawyer: "Lawyer", accountant: "Acct.", secretary: "Secr.", novice: "Novice" }; // a column is 54 wide
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
  parts.push(guards(site.owner, site.guards, x + 2, y + 100, site.site), text(x + SITE.width - 11, y + 116, site.total, { class: "end strong" }));
  return svg("g", { "data-site": site.site, "data-owner": site.owner, "data-total": site.total }, parts);
}

function legal(state) {
  return state.legal.map((business, i) => {
    const [x, y] = [10 + 96 * (i % 4), AREA.y + 60 * Math.floor(i / 4)];
    return svg("g", { "data-legal": business.site, "data-owner": business.owner }, rect(x, y, 92, 56, { class: business.owner === null ? "cell" : "ground" }),
      text(x + 5, y + 15, words(business.site), { class: "start tiny" }), business.owner === null ? [] : guards(business.owner, 1, x + 4, y + 26, business.site));
  });
}

function area(x, width, title, chips, attributes = {}) {
  return svg("g", attributes, rect(x, AREA.y, width, AREA.height, { class: "area" }), text(x + 5, AREA.y + 15, title, { class: "start tiny" }), chips);
}

/** Chips under one another, closer where there are many. */
function stack(list, x, y, columns, at) {
  const rows = Math.ceil(list.length / columns);
  const step = Math.min(22, (AREA.height - 46) / Math.max(rows - 1, 1));
  return list.map(([seat, member], i) => chip(seat, member, x + 54 * (i % columns), y + step * Math.floor(i / columns), at));
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
  return group(x, y, { "data-card": name, ...attributes }, rect(0, 0, 58, 38, { class: "card" }), text(29, second ? 16 : 23, first, { class: "tiny held" }), second ? text(29, 29, second, { class: "tiny held" }) : []);
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

/** What the columns of the families are. */
function heads() {
  const y = STRIP.y - 8;
  return [text(50, y, "Family", { class: "start tiny" }), text(190, y, "Cash; steps invested", { class: "start tiny" }), text(876, y, "Hand", { class: "start tiny" }),
    MEMBERS.map((member, i) => text(379 + 54 * i, y, HEADS[member], { class: "tiny" }))];
}

function strip(state, seat, names) {
  const family = state.families[seat];
  const y = STRIP.y + STRIP.height * seat;
  const name = names[seat] ?? "";
  return svg("g", { "data-family": seat },
    rect(10, y, 1180, STRIP.height - 6, { class: state.to_act === seat ? "here" : "area" }), seatMark(seat, 32, y + 20, 22),
    text(50, y + 24, name.length > 15 ? `${name.slice(0, 14)}…` : name, { class: "strong start" }), text(22, y + 48, `${family.name}${state.first === seat ? ", first" : ""}`, { class: "start tiny" }),
    text(190, y + 24, `$${family.cash}k`, { class: "strong start", "data-cash": family.cash, "data-seat": seat }), investment(family, 190, y + 36), text(328, y + 47, family.marker, { class: "start" }),
    MEMBERS.map((member, i) => memberSlot(state, seat, member, 354 + 54 * (i % 8), y + 8)),
    guards(seat, family.guards, 354, y + 33, "home"), text(430, y + 48, family.lost ? `${plural(family.lost, "bodyguard")} lost` : "", { class: "start tiny" }),
    hand(state, seat, y));
}

/** Corner brackets around what the last action touched: a site, a place, or the family's own money. */
function lastPlace(last, before, state) {
  const found = /^at (\w+)/.exec(last.text)?.[1] ?? (/^(put|guards)/.test(last.text) ? before?.pending?.place : null);
  const index = state.sites.findIndex((site) => site.site === found);
  if (index >= 0) return brackets(sitePoint(index)[0] + 56, sitePoint(index)[1] + SITE.height / 2, 118, SITE.height + 6);
  const moved = last.text.startsWith("move") ? before?.pending?.card : null;
  if (moved === "fbi") return brackets(794, AREA.y + AREA.height / 2, 66, AREA.height + 6);
  const rest = RESTS.indexOf(moved ?? found);
  if (rest >= 0) return brackets(404 + 118 * rest + 56, AREA.y + AREA.height / 2, 118, AREA.height + 6);
  const business = state.legal.findIndex((one) => last.text === `use ${one.site}`);
  if (business >= 0) return brackets(56 + 96 * (business % 4), AREA.y + 28 + 60 * Math.floor(business / 4), 98, 62);
  return /^(invest|rehire|bail|charge)/.test(last.text) ? brackets(258, STRIP.y + STRIP.height * last.seat + 29, 146, 56) : [];
}

export function draw(state, { last, before, seats }) {
  const inUse = state.pending?.card ? `, ${words(state.pending.card)} in use` : "";
  return svg("svg", { viewBox: `0 0 1200 ${STRIP.y + STRIP.height * state.seats + 4}`, "data-phase": state.phase },
    text(10, 28, `Year ${state.year}: ${state.phase}${inUse}`, { class: "title", "data-year": state.year }),
    text(1190, 28, `${plural(state.pile_count, "card")} in the pile, ${state.used.length} used this year`, { class: "end" }),
    state.sites.map(drawSite), legal(state), restPlaces(state), prison(state), harbour(state), park(state), heads(),
    Array.from({ length: state.seats }, (_, seat) => strip(state, seat, seats)), last ? lastPlace(last, before, state) : []);
}

// ---- in words ----
const ACTION_CARDS = { penthouse: "the Penthouse", barber: "the Barber", restaurant: "the Restaurant", fbi: "the FBI", protection: "Protection", takeover: "a Takeover", offer: "an Offer that can’t be refused" };
const cardWords = (name) => ACTION_CARDS[name] ?? `${/^[aeiou]/.test(name) ? "an" : "a"} ${words(name)}`;
const memberWords = (member) => `the ${words(member)}`;
const crew = (members, guards) => listed([...members.map(memberWords), ...(guards ? [plural(guards, "bodyguard")] : [])]);

/** `casino2` is the second casino; a rest place has its name. */
function placeWords(place) {
  const [, kind, number] = /^(\w+?)([12])$/.exec(place) ?? [];
  return kind ? `the ${number === "1" ? "first" : "second"} ${words(kind)}` : ACTION_CARDS[place];
}

/** Pieces that a deed cost somebody: members to the harbour, bodyguards to the park. */
function losses(before, after, name) {
  return after.families.flatMap((family, seat) => {
    const was = before.families[seat];
    const dead = family.harbour.filter((member) => !was.harbour.includes(member));
    const knocked = Math.max(0, family.park - was.park);
    return dead.length || knocked ? [`${name(seat)} lost ${crew(dead, knocked)}`] : [];
  });
}

const money = (sum) => `$${sum}k`;
const earned = (before, after, seat) => after.families[seat].cash - before.families[seat].cash;
const isYearEnd = (before, after) => before.phase === "turn" && (after.phase === "settlement" || after.year > before.year || after.phase === "over");

/** CA 6.1: what the illegal sites paid when the last card of a year was played. */
function yearEnd(before, after, name) {
  if (!isYearEnd(before, after)) return [];
  const pay = after.families.flatMap((_, seat) => (earned(before, after, seat) > 0 ? [`${name(seat)} ${money(earned(before, after, seat))}`] : []));
  return [pay.length ? `The year ends and the sites pay ${listed(pay)}` : "The year ends and the sites pay nobody"];
}

const newYear = (before, after) => (after.year > before.year ? [`Year ${after.year} begins`] : []);

function placed(last, before, after, name, guards) {
  const { place, members, card } = before.pending;
  const site = before.sites.find((one) => one.site === place);
  const worth = members.reduce((sum, member) => sum + VALUES[member], 0) + 5 * guards;
  const how = card === "takeover" ? `took over ${placeWords(place)} from ${name(site.owner)}` : site.owner === null ? `moved into ${placeWords(place)}` : site.owner === last.seat ? `strengthened ${placeWords(place)}` : `stormed ${placeWords(place)} of ${name(site.owner)}`;
  return `${how} with ${crew(members, guards)}, worth ${worth}`;
}

function chosenPlace(last, before, after, name, place) {
  const site = before.sites.find((one) => one.site === place);
  if (before.pending.card === "offer") return `made the Offer at ${placeWords(place)}`;
  if (after.pending?.want === "pieces") return site?.owner === null || site?.owner === last.seat ? `goes for ${placeWords(place)}` : `goes for ${placeWords(place)}, held by ${name(site.owner)} with ${site.total}`;
  const held = after.sites.find((one) => one.site === place);
  return held?.owner === last.seat ? `took ${placeWords(place)} with ${crew(held.members, held.guards)}` : `sent what the last card allows to ${placeWords(place)}`;
}

function used(last, before, after, card) {
  const pay = earned(before, after, last.seat);
  if (after.legal.some((one) => one.site === card)) return `opened the ${words(card)}${pay > 0 && !isYearEnd(before, after) ? `, which paid ${money(pay)}` : ""}`;
  return `played ${cardWords(card)}`;
}

/** The last choice of a year, which only its own seat's log holds: what it changed is seen all the same. */
function unseen(last, before, after) {
  const steps = after.families[last.seat].marker - before.families[last.seat].marker;
  return steps > 0 ? `invested ${money(100 * steps)}: ${after.families[last.seat].marker} of 10 steps now` : "made the last choice of the year";
}

const TELL = [
  [/^\?$/, (m, last, before, after) => unseen(last, before, after)],
  [/^return \?$/, () => "returned a card unseen"],
  [/^return (\w+)$/, (m) => `returned ${cardWords(m[1])} unseen`],
  [/^done$/, (m, last, before) => (before.families[last.seat].returned_count ? `drew ${plural(before.families[last.seat].returned_count, "card")} for those returned` : "kept all cards")],
  [/^use (\w+)$/, (m, last, before, after) => used(last, before, after, m[1])],
  [/^discard \?$/, () => "laid a card aside unused and unshown"],
  [/^discard (\w+)$/, (m) => `laid ${cardWords(m[1])} aside unused and unshown`],
  [/^at (\w+)$/, (m, last, before, after, name) => chosenPlace(last, before, after, name, m[1])],
  [/^put (\w+)$/, (m, last, before) => `sends ${memberWords(m[1])} (${VALUES[m[1]]}) to ${placeWords(before.pending.place)}`],
  [/^guards (\d+)$/, (m, last, before, after, name) => placed(last, before, after, name, Number(m[1]))],
  [/^bail (\w+)$/, (m) => `paid ${money(VALUES[m[1]])} to bail ${memberWords(m[1])} out of prison`],
  [/^rehire (\d+)$/, (m) => `rehired ${plural(Number(m[1]), "bodyguard")} for ${money(5 * Number(m[1]))}`],
  [/^invest (\d+)$/, (m, last, before, after) => Number(m[1]) === 0 ? "invested nothing" : `invested ${money(100 * Number(m[1]))}: ${after.families[last.seat].marker} of 10 steps now`],
  [/^charge (\d)$/, (m, last, before, after, name) => `took protection money from ${name(m[1])}${isYearEnd(before, after) ? "" : `: ${money(earned(before, after, last.seat))}`}`],
  [/^move (\d) (\w+)$/, (m, last, before, after, name) => `sent ${name(m[1])}’s ${words(m[2])} to ${before.pending.card === "fbi" ? "prison" : ACTION_CARDS[before.pending.card]}`],
];

export function tell(last, before, after, name) {
  for (const [pattern, deed] of TELL) {
    const found = pattern.exec(last.text);
    if (!found || !before) continue;
    const lost = before.phase === "turn" ? losses(before, after, name) : [];
    const came = [...lost, ...yearEnd(before, after, name), ...newYear(before, after)].map((one) => ` ${one}.`);
    return `${name(last.seat)} ${deed(found, last, before, after, name)}.${came.join("")}`;
  }
  return `${name(last.seat)}: ${last.text}.`;
}

const ASKS = { return: "may return cards", card: "plays a card", place: "chooses a place", member: "chooses a member", seat: "chooses who pays", pieces: "chooses who goes there", bail: "may bail members out", rehire: "may rehire bodyguards", invest: "may invest" };

/** What the seat to act must do. */
export function asks(state) {
  return ASKS[state.pending.want] ?? "chooses";
}

function onSites(state, seat) {
  return state.sites.reduce((sum, site) => sum + (site.owner === seat ? site.total : 0), 0);
}

export function standing(state) {
  return state.families.map((family, seat) => [["Steps of 10", family.marker], ["Cash, $k", family.cash], ["On sites", onSites(state, seat)], ["Dead", family.harbour.length], ["Cards", family.hand_count]]);
}
