// A stage on which positions of one game are drawn, one after the other, and pieces go from where they stood.
import { readEntry } from "./frames.js";
import { html, svg } from "./pieces.js";
import { named } from "./telling.js";

export const drawingOf = (name) => import(`./${name}.js`);
export const isStill = matchMedia("(prefers-reduced-motion: reduce)");
export const isPhone = matchMedia("(max-width: 40rem)");
const isNarrow = matchMedia("(max-width: 57rem)"); // too narrow for the letters of the low layout on the page of a match
const GLIDE_MS = 220;
const LEAST_SCALE = .957; // of the wide layout: below, its smallest letters would come out smaller than 11 px

let stages = 0;

/** A stage on which positions of one game are drawn, one after the other. */
export class Stage {
  constructor(drawing, attributes = {}) {
    this.drawing = drawing;
    this.box = html("div", { class: `stage stage-${drawing.style}`, ...attributes });
    this.description = html("p", { class: "visually-hidden", id: `board-${(stages += 1)}` });
    this.names = [];
    this.shown = null;
    this.watchSize();
  }

  /** A phone and a window zoomed into have their own layout, and so has a box that is low for its width: what was drawn is drawn again. */
  watchSize() {
    const again = () => {
      this.fitting = null;
      if (this.shown && this.layout() !== this.shown.layout) this.draw(...this.shown.given);
    };
    for (const window of [isPhone, isNarrow]) window.addEventListener("change", again);
    new ResizeObserver(again).observe(this.box);
  }

  /** Which layout fits: measured when the size has changed and not at every drawing, because measuring makes the browser lay out the page. */
  layout() {
    const isOurs = !this.box.closest(".framed"); // and in no frame of another site
    if (isOurs && (isPhone.matches || (isNarrow.matches && this.box.closest(".tp")))) return "tall";
    return (this.fitting ??= this.measured());
  }

  measured() {
    const { clientWidth: width, clientHeight: height } = this.box;
    if (isPhone.matches && height > width) return "tall"; // a narrow frame of another site
    return Math.min(width / 1028, height / 686) < LEAST_SCALE ? "low" : "wide";
  }

  /** Draw a frame; `moving` lets pieces go from where they stood. */
  draw(frame, before, label, moving = false) {
    const layout = this.layout();
    const given = { last: readEntry(frame.entry), before };
    const board = this.drawing.draw ? this.drawn(this.drawing.draw(frame.state, layout, given), layout, moving) : this.written(frame);
    board.setAttribute("aria-label", label);
    board.dataset.ply = frame.ply;
    this.describeSoon(frame.state);
    this.shown = { layout, given: [frame, before, label] };
    return board;
  }

  /** The position in words for those who don't see it, once it has stood for a moment. */
  describeSoon(state) {
    clearTimeout(this.describing);
    if (this.drawing.describe) this.describing = setTimeout(() => { this.description.textContent = named(this.drawing.describe(state), this.names); }, 200);
  }

  drawn({ size, ground, play }, layout, moving) {
    if (this.shown?.layout !== layout || !this.board?.isConnected) this.newBoard(layout);
    if (String(this.size) !== String(size)) this.board.setAttribute("viewBox", `0 0 ${(this.size = size).join(" ")}`);
    if (this.ground !== ground) this.board.firstChild.innerHTML = this.ground = ground;
    const places = moving ? this.places() : null;
    this.lay(play);
    if (places) this.glide(places);
    return this.board;
  }

  /** The play in groups, of which those that say the same as before stay as they are; whoever plays has hit areas above them. */
  lay(play) {
    while (this.groups.length < play.length) this.groups.push(this.board.children[1].appendChild(svg("g")));
    while (this.groups.length > play.length) this.groups.pop().remove();
    play.forEach((drawn, i) => { if (this.laid[i] !== drawn) this.groups[i].innerHTML = drawn; });
    this.laid = play;
  }

  newBoard(layout) {
    const said = { ...this.board?.dataset }; // whose eyes see it is said by whoever shows it, and not again for a new layout
    this.board = svg("svg", { class: `drawn board ${this.drawing.style} ${layout}`, role: "img", "aria-describedby": this.description.id }, svg("g"), svg("g"));
    Object.assign(this.board.dataset, said);
    this.ground = this.size = null;
    this.groups = [];
    this.laid = [];
    this.box.replaceChildren(this.board, this.description);
  }

  written(frame) {
    this.board = html("div", { class: "board", role: "group" }, this.drawing.element(frame.state, frame));
    this.box.replaceChildren(this.board);
    return this.board;
  }

  clear(...children) {
    this.shown = null;
    this.box.replaceChildren(...children);
  }

  // ---- motion ----
  places() {
    return new Map([...this.board.querySelectorAll("[data-key]")].map((piece) => [piece.dataset.key, piece.getAttribute("transform")]));
  }

  glide(places) {
    for (const piece of this.board.querySelectorAll("[data-key]")) {
      const [was, is] = [places.get(piece.dataset.key), piece.getAttribute("transform")];
      if (was !== is) piece.animate(this.steps(piece, was, is), { duration: GLIDE_MS, easing: "ease-out" });
    }
  }

  /** From where it stood to where it stands, along its way if it has one; what is new comes down from above. */
  steps(piece, was, is) {
    const point = (transform) => /translate\(([^ )]+) ([^ )]+)\)/.exec(transform).slice(1).map(Number);
    const at = ([x, y], more = {}) => ({ transform: `translate(${x}px, ${y}px)`, ...more });
    const [x, y] = point(is);
    if (!was) return [at([x, y - 14], { opacity: 0 }), at([x, y], { opacity: 1 })];
    const way = piece.dataset.way?.split(" ").map((corner) => corner.split(",").map(Number));
    const isThere = way && String(way.at(-1)) === String([x, y]);
    return (isThere ? way : [point(was), [x, y]]).map((corner) => at(corner));
  }
}

/** Where these stand on a board, in its own units: [x, y, width, height] round the middle of each. */
export function boxesOf(board, names) {
  const back = board.getScreenCTM().inverse();
  return [...board.querySelectorAll(names)].map((drawn) => {
    const { x, y, width, height } = drawn.getBBox(), there = back.multiply(drawn.getScreenCTM());
    const [from, to] = [[x, y], [x + width, y + height]].map(([cx, cy]) => new DOMPoint(cx, cy).matrixTransform(there));
    return [(from.x + to.x) / 2, (from.y + to.y) / 2, to.x - from.x, to.y - from.y];
  });
}
