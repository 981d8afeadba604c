// What boards are drawn with: every function returns a string of SVG. Colours come from classes, never from style attributes.
// Everything that stands in a string has gone through `esc`, so nothing of a match can become markup.
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const esc = (value) => (typeof value === "number" ? String(value) : String(value).replace(/[&<>"']/g, (one) => ESCAPES[one]));
function attributes(given = {}) {
  let written = "";
  for (const name in given) {
    const value = given[name];
    if (value !== undefined && value !== null && value !== false) written += ` ${name}="${value === true ? "" : esc(value)}"`;
  }
  return written;
}
export const el = (tag, o, ...kids) => `<${tag}${attributes(o)}>${kids.flat(9).join("")}</${tag}>`;
export const g = (x, y, o, ...kids) => el("g", { transform: `translate(${+x.toFixed(1)} ${+y.toFixed(1)})`, ...o }, ...kids);
export const rect = (x, y, w, h, c, o = {}) => `<rect${attributes({ x, y, width: w, height: h, class: c, ...o })}/>`;
export const circ = (x, y, r, c, o = {}) => `<circle${attributes({ cx: x, cy: y, r, class: c, ...o })}/>`;
export const line = (x1, y1, x2, y2, c, o = {}) => `<line${attributes({ x1, y1, x2, y2, class: c, ...o })}/>`;
export const path = (d, c, o = {}) => `<path${attributes({ d, class: c, ...o })}/>`;
export const poly = (pts, c, o = {}) => `<polygon${attributes({ points: pts.map((p) => p.map((n) => +n.toFixed(1)).join(",")).join(" "), class: c, ...o })}/>`;
export const t = (x, y, s, c = "", o = {}) => `<text${attributes({ x, y, class: c || undefined, ...o })}>${esc(s)}</text>`;
export const title = (words) => `<title>${esc(words)}</title>`;
/** What was drawn of a thing is kept with it: what did not change from one position to the next is the same object in both. */
export function kept(draw) {
  const known = new WeakMap();
  return (thing, ...how) => {
    const key = how.join(), had = known.get(thing);
    if (had?.key === key) return had.drawn;
    const drawn = draw(thing, ...how);
    known.set(thing, { key, drawn });
    return drawn;
  };
}
/** What was drawn from the same words and numbers before. */
export function once(draw) {
  const known = new Map();
  return (...how) => {
    const key = how.join();
    if (!known.has(key)) known.set(key, draw(...how));
    return known.get(key);
  };
}
/** Numbers from 0 to 1 that are the same at every drawing. */
export const rnd = (seed) => () => ((seed = (seed * 16807) % 2147483647) - 1) / 2147483646;

// ---- seats: shape and fill ----
export const MARKS = [
  `<circle class="solid" r="13"/>`, `<rect class="hollow" x="-12" y="-12" width="24" height="24"/>`,
  `<path class="solid" d="M0-16 16 0 0 16-16 0Z"/>`, `<path class="hollow" d="M0-14 16 13H-16Z"/>`,
  `<path class="solid" d="M-15-5H-5V-15H5V-5H15V5H5V15H-5V5H-15Z"/>`, `<path class="hollow" d="M-15 10A15 15 0 0 1 15 10Z"/>`,
];
export const mark = (seat, x, y, size = 20) => g(x, y, { class: `p${seat}` }, el("g", { transform: `scale(${+(size / 32).toFixed(3)})` }, MARKS[seat]));
export const brackets = (x, y, w, h, arm = 10) => {
  const [l, r, u, b] = [x - w / 2, x + w / 2, y - h / 2, y + h / 2];
  const c = (cx, cy, dx, dy) => `M${cx} ${cy + dy}V${cy}H${cx + dx}`;
  return path(c(l, u, arm, arm) + c(r, u, -arm, arm) + c(l, b, arm, -arm) + c(r, b, -arm, -arm), "last-to");
};
export const flutes = (w, h, n, c = "flute") => path(Array.from({ length: n }, (_, i) => `M${(-w / 2 + (w * (i + .5)) / n).toFixed(1)} ${-h / 2}v${h}`).join(""), c);
export const way = (pts, clear = 30) => {
  const [p, q] = pts.slice(-2); const an = Math.atan2(q[1] - p[1], q[0] - p[0]);
  const tip = [q[0] - clear * Math.cos(an), q[1] - clear * Math.sin(an)];
  const d = [...pts.slice(0, -1), tip].map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  return path(d, "last-halo") + path(d, "last-way") + path("M0-3 9 13H-9Z", "last-head", { transform: `translate(${tip[0].toFixed(1)} ${tip[1].toFixed(1)}) rotate(${(an * 180 / Math.PI + 90).toFixed(0)})` });
};

// ---- icons, one colour, 24 x 24 round 0,0; `ik` is the ground showing through ----
export const ICON = {
  fedora: `<path d="M-12 5Q-6 2-7-1C-7-9-3-8 0-6.500C3-8 7-9 7-1Q6 2 12 5Q0 10-12 5Z"/><path class="ik" d="M-7-1Q0 2 7-1V2Q0 5-7 2Z"/>`,
  tophat: `<path d="M-6-11H6L5.500 4H11V7.500H-11V4H-5.500Z"/><path class="ik" d="M-5.700 0H5.700V2.500H-5.700Z"/>`,
  ledger: `<path d="M-9-10H9V10H-9Z"/><path class="ik" d="M-6-7H6V-4.500H-6ZM-6-2H1V-.2H-6ZM-6 2H1V3.800H-6ZM-6 6H1V7.800H-6ZM3.500-2H6V7.800H3.500Z"/>`,
  badge: `<path d="M0-12 3-6 10-6 6.500 0 10 6 3 6 0 12-3 6-10 6-6.500 0-10-6-3-6Z"/><circle class="ik" r="3.200"/>`,
  car: `<path d="M-12 4V-1H-8L-5-7H5L8-1H12V4Z"/><path class="ik" d="M-4-5H-.7V-1H-6ZM.7-5H4L6-1H.7Z"/><circle cx="-7" cy="5" r="3.600"/><circle cx="7" cy="5" r="3.600"/><circle class="ik" cx="-7" cy="5" r="1.400"/><circle class="ik" cx="7" cy="5" r="1.400"/>`,
  drum: `<circle r="10.500"/><circle class="ik" r="2.200"/>${[0, 60, 120, 180, 240, 300].map((d) => `<circle class="ik" r="1.700" cx="${(6.3 * Math.cos(d * Math.PI / 180)).toFixed(1)}" cy="${(6.3 * Math.sin(d * Math.PI / 180)).toFixed(1)}"/>`).join("")}`,
  sight: `<path d="M-1.300-12H1.300V-8.300A8.400 8.400 0 0 1 8.300-1.300H12V1.300H8.300A8.400 8.400 0 0 1 1.300 8.300V12H-1.300V8.300A8.400 8.400 0 0 1-8.300 1.300H-12V-1.300H-8.300A8.400 8.400 0 0 1-1.300-8.300Z"/><circle class="ik" r="5.600"/><circle r="2.200"/>`,
  bowler: `<path d="M-8 3C-8-10 8-10 8 3L12.500 3.500Q0 11-12.500 3.500Z"/><path class="ik" d="M-7.600 0Q0 3 7.600 0V2.400Q0 5.400-7.600 2.400Z"/>`,
  cap: `<path d="M-11 4C-12-8 9-11 10 0L14 5H-10Z"/><circle cx="-1" cy="-8" r="1.800"/><path class="ik" d="M-9.500 1.200H9.800V2.800H-9.800Z"/>`,
  bob: `<path d="M-10 10C-13-14 13-14 10 10H5.500V-1C1-1-3-3-5.500-6V10Z"/><path d="M-2.800 7.500Q0 5 2.800 7.500Q0 10.500-2.800 7.500Z"/>`,
  shield: `<path d="M0-12 10-8V1C10 7 4 10.500 0 12-4 10.500-10 7-10 1V-8Z"/><path class="ik" d="M0-7 1.700-2.300 6.600-2.300 2.700.7 4.100 5.300 0 2.500-4.100 5.300-2.700.7-6.600-2.300-1.700-2.300Z"/>`,
  door: `<path d="M-9 12V-3A9 9 0 0 1 9-3V12Z"/><path class="ik" d="M-5-4H5V-.8H-5Z"/><circle class="ik" cx="5" cy="5" r="1.500"/>`,
  glass: `<path d="M-9-10H9L1.200-1V8H6V10H-6V8H-1.200V-1Z"/>`,
  star: `<path d="M0-11 3.200-3.400 11.400-2.700 5.100 2.700 7 10.800 0 6.500-7 10.800-5.100 2.700-11.400-2.700-3.200-3.400Z"/>`,
  bottle: `<path d="M-2.600-12H2.600V-5L6.500-.5V12H-6.500V-.5L-2.600-5Z"/><path class="ik" d="M-4 3H4V8H-4Z"/>`,
  note: `<path d="M-3-11 9-9V-4L0-5.500V6A4.800 4 0 1 1-3 2.300Z"/>`,
  steps: `<path d="M-11 11V6H-5.500V.500H0V-5H5.500V-10.500H11V11Z"/>`,
  flash: `<path d="M3-12-8 2H-1L-3 12 8-3H1Z"/>`,
  eye: `<path d="M-12 0Q0-11 12 0Q0 11-12 0Z"/><circle class="ik" r="4.600"/><circle r="2.200"/>`,
  coin: `<circle r="10"/><path class="ik" d="M-1-7H1V-5.300Q4.300-4.800 4.300-2H2.200Q2.200-3.500 0-3.500T-2.100-2Q-2.100-1 .3-.8 4.500-.3 4.500 2.600 4.500 4.800 1 5.400V7H-1V5.400Q-4.500 5-4.500 2H-2.400Q-2.400 3.600 0 3.600T2.300 2.500Q2.300 1.200-.3 1-4.200.6-4.200-2.100-4.200-4.700-1-5.300Z"/>`,
  infl: `<path d="M-11-7-5-1 0-10 5-1 11-7 9 6H-9Z"/><path d="M-9 8H9V11H-9Z"/>`,
  init: `<circle r="10.500"/><path class="ik" d="M-1.200-7H1.200V-.6L5.500 3 4 4.800-1.200.6Z"/>`,
  crim: `<circle cx="-5.500" cy="2.500" r="6.300"/><circle class="ik" cx="-5.500" cy="2.500" r="3.400"/><circle cx="6" cy="2.500" r="6.300"/><circle class="ik" cx="6" cy="2.500" r="3.400"/><path d="M-3-8H3V-5H-3Z"/>`,
  weapon: `<path d="M0-12 10-8V1C10 7 4 10.500 0 12-4 10.500-10 7-10 1V-8Z"/>`,
  laurel: `<path d="M0-11 2.800-3.600 10.500-3.300 4.500 1.400 6.600 8.800 0 4.500-6.600 8.800-4.500 1.400-10.500-3.300-2.800-3.600Z"/>`,
  wine: `<path d="M-6-11H6Q7 0 1.200 1.500V8.500H5.500V11H-5.500V8.500H-1.200V1.500Q-7 0-6-11Z"/><path class="ik" d="M-4.300-9H4.300L4.500-6H-4.500Z"/>`,
  beer: `<path d="M-8-8H4V11H-8ZM4-4H9V7H4V4.500H6.500V-1.500H4Z"/><path d="M-9-9Q-7-13-3-11 1-14 5-9Z"/><path class="ik" d="M-5-4H-3.200V8H-5ZM-1-4H.8V8H-1Z"/>`,
  whisky: `<path d="M-8-9H8L6.500 10H-6.500Z"/><path class="ik" d="M-6-7H6L5.600-2H-5.600Z"/><path d="M-2-5 3-6 4-1-1 0Z"/>`,
  dancer: `<path d="M-10 9Q-4 9-2 4L1-8H6L4 3Q5 6 11 7V10H3L1.500 7.500-2 11H-10Z"/>`,
  musician: `<path d="M-11-3H-6L7-9V9L-6 3H-11Z"/><path d="M8.500-5Q12 0 8.500 5Z"/>`,
  singer: `<circle cy="-6" r="5.500"/><path d="M-3.500 1H3.500L2 12H-2Z"/><path class="ik" d="M-5-6.700H5V-5.300H-5Z"/>`,
  politician: `<path d="M-10-7 0-12 10-7V-5H-10ZM-8-3H-5V6H-8ZM-1.500-3H1.500V6H-1.500ZM5-3H8V6H5ZM-10 8H10V11H-10Z"/>`,
  dice: `<path d="M-9-9H9V9H-9Z"/><circle class="ik" cx="-4" cy="-4" r="1.900"/><circle class="ik" cx="4" cy="4" r="1.900"/><circle class="ik" r="1.900"/>`,
  gem: `<path d="M-6-8H6L11-2 0 10-11-2Z"/><path class="ik" d="M-4.500-5.500H4.500L7-2.500H-7Z"/>`,
  press: `<path d="M-10-3H10V7H-10ZM-6-10H6V-5H-6Z"/><path class="ik" d="M-6 2H6V4H-6Z"/><path d="M-6 6H6V11H-6Z"/>`,
  dish: `<circle cy="-8.500" r="2.200"/><path d="M-11 5A11 11.500 0 0 1 11 5ZM-12 7H12V10H-12Z"/>`,
  pillar: `<path d="M-11-5 0-11 11-5V-3H-11ZM-9-1H-6V7H-9ZM-1.500-1H1.500V7H-1.500ZM6-1H9V7H6ZM-11 8H11V11H-11Z"/>`,
  exchange: `<path d="M-11-5H4V-9L11-3 4 3V-1H-11ZM11 5H-4V1L-11 7-4 13V9H11Z" transform="translate(0 -2)"/>`,
  pawn3: `<circle cx="-6" cy="-2" r="4.800"/><circle cx="6" cy="-2" r="4.800"/><circle cx="0" cy="6.500" r="4.800"/><path d="M-7-10H7V-7H-7Z"/>`,
  crate: `<path d="M-10-9H10V9H-10Z"/><path class="ik" d="M-8-7H-6V7H-8ZM6-7H8V7H6ZM-4-7 4 5V7H2.500L-4-3Z"/>`,
  loaf: `<path d="M-11 7V0Q-11-7 0-7T11 0V7Z"/><path class="ik" d="M-5-4H-3.500V1H-5ZM0-4H1.500V1H0ZM5-4H6.500V1H5Z"/>`,
  flower: `<circle cy="-6" r="4"/><circle cx="-5" cy="-1" r="4"/><circle cx="5" cy="-1" r="4"/><circle cx="-3" cy="4" r="4"/><circle cx="3" cy="4" r="4"/><circle class="ik" r="2.500"/><path d="M-.8 6H.8V12H-.8Z"/>`,
  wash: `<path d="M-9-11H9V11H-9Z"/><circle class="ik" cy="2" r="6"/><circle cy="2" r="3.500"/><path class="ik" d="M-6-9H0V-7H-6Z"/>`,
  basket: `<path d="M-11-2H11L8 10H-8Z"/><path class="hole" d="M-7-2Q0-16 7-2"/>`,
  pizza: `<path d="M-10-8Q0-13 10-8L0 12Z"/><circle class="ik" cx="-2.500" cy="-4" r="2"/><circle class="ik" cx="3" cy="-2" r="1.800"/><circle class="ik" cy="4" r="1.600"/>`,
  film: `<path d="M-11-8H11V8H-11Z"/><path class="ik" d="M-9-6H-7V-4H-9ZM-9-1H-7V1H-9ZM-9 4H-7V6H-9ZM7-6H9V-4H7ZM7-1H9V1H7ZM7 4H9V6H7ZM-4-5 5 0-4 5Z"/>`,
  wrench: `<path d="M-11 8 0-3Q-2-10 5-11L2.500-7 6-3.500 10.500-6Q10 2 3 0L-8 11Z"/>`,
  money: `<path d="M-12-7H12V7H-12Z"/><circle class="ik" r="3.600"/><path class="ik" d="M-9.500-4.500H-6.500V-3H-9.500ZM6.500 3H9.500V4.500H6.500Z"/>`,
  swap: `<path d="M-11-6H5V-10L12-4.500 5 1V-3H-11ZM11 6H-5V2L-12 7.500-5 13V9H11Z" transform="translate(0 -1.500)"/>`,
  up: `<path d="M0-11 10 1H4V11H-4V1H-10Z"/>`,
  plus: `<path d="M-2.500-10H2.500V-2.500H10V2.500H2.500V10H-2.500V2.500H-10V-2.500H-2.500Z"/>`,
  tile: `<path d="M-9 10V-3H-5V-7H-1V-11H9V10Z"/>`,
  hand: `<path d="M-8-1V-7H-5V-10H-2V-11H1V-9H4V-7H7V6L3 11H-4L-10 3V0Z"/>`,
  horse: `<path d="M-6 11Q-7 2 1-2L-5 0-9-1-8-5 0-10V-12L3-10Q10-8 10 2L10 11Z"/><circle class="ik" cx="1" cy="-6.500" r="1.100"/>`,
};
export const icon = (name, x, y, size = 24, c = "ic") => g(x, y, { class: c }, size === 24 ? ICON[name] : el("g", { transform: `scale(${+(size / 24).toFixed(3)})` }, ICON[name]));
