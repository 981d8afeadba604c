// What every board is drawn with: SVG elements, seat marks, hidden faces, text. No markup is ever parsed from data.
const SVG = "http://www.w3.org/2000/svg";

/** An SVG element; attributes that are null or false are left out, children may be strings. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** An HTML element, in the same way. */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

export function group(x, y, attributes, ...children) {
  return svg("g", { transform: `translate(${x} ${y})`, ...attributes }, ...children);
}

export function text(x, y, content, attributes = {}) {
  return svg("text", { x, y, ...attributes }, String(content));
}

export function rect(x, y, width, height, attributes = {}) {
  return svg("rect", { x, y, width, height, ...attributes });
}

export function line(x1, y1, x2, y2, attributes = {}) {
  return svg("line", { x1, y1, x2, y2, ...attributes });
}

export function path(d, attributes = {}) {
  return svg("path", { d, ...attributes });
}

// Seat = shape and fill: even seats are solid, odd ones hollow.
const MARKS = [
  () => svg("circle", { class: "solid", r: 13 }),
  () => rect(-12, -12, 24, 24, { class: "hollow" }),
  () => path("M0 -16L16 0 0 16 -16 0Z", { class: "solid" }),
  () => path("M0 -14L16 13H-16Z", { class: "hollow" }),
  () => path("M-15 -5H-5V-15H5V-5H15V5H5V15H-5V5H-15Z", { class: "solid" }),
  () => path("M-15 10A15 15 0 0 1 15 10Z", { class: "hollow" }),
];

/** The mark of a seat inside a board, `size` wide. */
export function seatMark(seat, x, y, size = 20, attributes = {}) {
  return svg("g", { class: `p${seat}`, transform: `translate(${x} ${y}) scale(${size / 32})`, ...attributes }, MARKS[seat]());
}

/** The mark of a seat for a line of text. */
export function seatIcon(seat) {
  return svg("svg", { class: `mark p${seat}`, viewBox: "-16 -16 32 32", "aria-hidden": "true" }, MARKS[seat]());
}

/** Upright lines in a box centred on 0,0: something is there and this viewer may not know what. */
export function flutes(width, height, count = 5, attributes = {}) {
  const gap = width / (count + 1);
  return Array.from({ length: count }, (_, i) => {
    const x = gap * (i + 1) - width / 2;
    return line(x, -height / 2, x, height / 2, { class: "flute", ...attributes });
  });
}

/** Corner brackets around a box: the last action ended here. */
export function brackets(x, y, width, height, arm = 9) {
  const [l, r, t, b] = [x - width / 2, x + width / 2, y - height / 2, y + height / 2];
  const corner = (cx, cy, dx, dy) => `M${cx} ${cy + dy}V${cy}H${cx + dx}`;
  const d = corner(l, t, arm, arm) + corner(r, t, -arm, arm) + corner(l, b, arm, -arm) + corner(r, b, -arm, -arm);
  return path(d, { class: "last-to" });
}

/** A way with an arrow head, along points. */
export function way(points, clear = 0) {
  const [before, end] = points.slice(-2);
  const angle = Math.atan2(end[1] - before[1], end[0] - before[0]);
  const tip = [end[0] - clear * Math.cos(angle), end[1] - clear * Math.sin(angle)];
  const line = [...points.slice(0, -1), tip].map(([x, y]) => `${x},${y}`).join(" ");
  const turn = (angle * 180) / Math.PI + 90;
  return [
    svg("polyline", { class: "last-way", points: line }),
    path("M0 -2l8 14h-16z", { class: "last-head", transform: `translate(${tip[0]} ${tip[1]}) rotate(${turn})` }),
  ];
}

export function plural(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/** Words of a key: `weapons_shop` reads as `weapons shop`. */
export function words(key) {
  return String(key).replaceAll("_", " ");
}

/** `a, b and c`. */
export function listed(parts) {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** A change with its sign: `+3`, `−2`. */
export function signed(number) {
  return number < 0 ? `−${-number}` : `+${number}`;
}

/** Somebody's text without characters that turn or hide what stands around it. */
export function plain(name) {
  return String(name).replace(/[\p{Cc}\p{Cf}]/gu, "");
}
