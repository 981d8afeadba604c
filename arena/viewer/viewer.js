// The replay viewer: board, last words, transport, seats, moves, whose eyes. `<div data-viewer data-…>` becomes one.
import { Reel, advance, givenFrames, readEntry, remoteFrames } from "./frames.js";
import { html, plain, seatIcon, svg } from "./pieces.js";

export const drawingOf = (name) => import(`./${name}.js`);
const SPEEDS = [["slow", 1600], ["normal", 800], ["fast", 300], ["fastest", 90]];
const ICONS = {
  first: "M2 2h2v12H2zM14 2v12L5 8z",
  back: "M12 2v12L3 8z",
  play: "M3 1l11 7-11 7z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
  on: "M4 2v12l9-6z",
  last: "M12 2h2v12h-2zM2 2v12l9-6z",
};
const GLIDE_MS = 220;
export const isStill = matchMedia("(prefers-reduced-motion: reduce)");
const isPhone = matchMedia("(max-width: 40rem)");

function icon(name) {
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

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

  /** A phone has its own layout, and so has a box that is low for its width: what was drawn is drawn again. */
  watchSize() {
    const again = () => { if (this.shown && this.layout() !== this.shown.layout) this.draw(...this.shown.given); };
    isPhone.addEventListener("change", again);
    new ResizeObserver(again).observe(this.box);
  }

  layout() {
    if (isPhone.matches) return "tall";
    return Math.min(this.box.clientWidth / 1028, this.box.clientHeight / 686) < LEAST_SCALE ? "low" : "wide";
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
    this.board.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
    if (this.ground !== ground) this.board.firstChild.innerHTML = this.ground = ground;
    const places = moving ? this.places() : null;
    this.lay(play);
    if (places) this.glide(places);
    return this.board;
  }

  /** The play in groups, of which those that say the same as before stay as they are; whoever plays has hit areas above them. */
  lay(play) {
    const holder = this.board.children[1];
    while (holder.children.length < play.length) holder.append(svg("g"));
    while (holder.children.length > play.length) holder.lastChild.remove();
    play.forEach((drawn, i) => { if (this.groups[i] !== drawn) holder.children[i].innerHTML = drawn; });
    this.groups = play;
  }

  newBoard(layout) {
    this.board = svg("svg", { class: `drawn board ${this.drawing.style} ${layout}`, role: "img", "aria-describedby": this.description.id }, svg("g"), svg("g"));
    this.ground = null;
    this.groups = [];
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

export class Viewer {
  constructor(root, { drawing, plies, seats, places, views, view, load, times, pageSize }) {
    Object.assign(this, { root, drawing, plies, seats, places, views, times, pageSize, loadFor: load });
    this.firstView = view;
    this.view = view;
    this.ply = 0;
    this.timer = null;
    this.speed = 1;
    this.wanted = 0;
  }

  async start() {
    this.board = await drawingOf(this.drawing);
    this.names = ownNames(this.seats, this.places);
    const link = this.readLink();
    if (link.view !== null) this.view = link.view;
    this.speed = link.speed ?? this.speed;
    this.build();
    this.open(this.view);
    this.listen();
    await this.go(this.firstPly ?? link.ply ?? Math.min(this.board.firstPly ?? 0, this.plies));
    this.listMoves();
  }

  /** What the address says: `#ply=12&view=1&speed=fast`; null where it says nothing that this match has. */
  readLink() {
    const given = new URLSearchParams(location.hash.slice(1));
    const speed = SPEEDS.findIndex(([name]) => name === given.get("speed"));
    const ply = /^\d{1,7}$/.test(given.get("ply") ?? "") ? Math.min(Number(given.get("ply")), this.plies) : null;
    return { ply, view: this.views.includes(given.get("view")) ? given.get("view") : null, speed: speed < 0 ? null : speed };
  }

  link() {
    return `#ply=${this.ply}&view=${this.view}&speed=${SPEEDS[this.speed][0]}`;
  }

  open(view) {
    this.view = view;
    this.reel = new Reel(this.loadFor(view), this.plies, this.pageSize);
    this.shown = null;
  }

  // ---- what stands on the page ----
  build() {
    this.stage = new Stage(this.board, { tabindex: "0", role: "region", "aria-label": "Board; keys: space plays, arrows step, Home and End" });
    this.stage.names = this.names;
    this.words = html("p", { class: "last-words", tabindex: "0", "aria-live": "polite" });
    this.about = html("p", { class: "about", role: "status", hidden: true });
    this.list = html("ol");
    this.scroll = html("div", { class: "movelist", tabindex: "0", role: "region", "aria-label": "Moves" }, this.list);
    this.cards = html("div", { class: "seatcards" });
    this.caption = html("div", { class: "caption" }, this.about, this.words, this.transport());
    const rail = html("aside", { class: "rail", tabindex: "0", "aria-label": "Seats and moves" }, this.cards, this.legend(), html("h2", {}, "Moves"), this.scroll);
    this.root.replaceChildren(this.stage.box, this.caption, rail);
    const place = () => (isPhone.matches ? rail.prepend(this.extras) : this.counter.after(this.extras));
    isPhone.addEventListener("change", place);
    place();
  }

  legend() {
    const box = html("div", { class: "legend" });
    if (this.board.legend) box.innerHTML = this.board.legend();
    if (this.board.hint) box.append(html("p", { class: "label" }, this.board.hint));
    return box.childNodes.length ? box : null;
  }

  transport() {
    const button = (name, label, act) => {
      const made = html("button", { type: "button", "aria-label": label, title: label, "data-do": name }, icon(name));
      made.addEventListener("click", act);
      return made;
    };
    this.playButton = button("play", "Play", () => this.toggle());
    this.playButton.classList.add("play");
    const keys = html("div", { class: "keys", role: "group", "aria-label": "Replay" },
      button("first", "First", () => this.step(-this.plies)), button("back", "Back one ply", () => this.step(-1)), this.playButton,
      button("on", "On one ply", () => this.step(1)), button("last", "Last", () => this.step(this.plies)));
    this.slider = html("input", { type: "range", min: 0, max: this.plies, value: 0, "aria-label": "Ply" });
    this.slider.addEventListener("input", () => this.slide(Number(this.slider.value)));
    this.marks = svg("svg", { class: "marks", "aria-hidden": "true" });
    this.counter = html("span", { class: "small count" });
    this.extras = html("div", { class: "extras" }, this.eyes(), this.speeds());
    return html("div", { class: "transport" }, keys, html("div", { class: "story" }, this.marks, this.slider), this.counter, this.extras);
  }

  eyes() {
    const options = this.views.map((view) => {
      const input = html("input", { type: "radio", name: "view", value: view, checked: view === this.view });
      input.addEventListener("change", () => this.look(view));
      const knows = view === "all" ? "Everything" : `What ${this.seatName(Number(view))} knows`;
      const name = view === "all" ? [html("span", {}, knows)] : [seatIcon(Number(view)), html("span", { class: "who" }, html("span", { class: "visually-hidden" }, "What "), this.seatName(Number(view)), html("span", { class: "visually-hidden" }, " knows"))];
      return html("label", { title: knows }, input, name);
    });
    return html("fieldset", { class: "views" }, html("legend", { class: "visually-hidden" }, "What is shown"), options);
  }

  speeds() {
    this.speedSelect = html("select", { "aria-label": "Speed" }, SPEEDS.map(([name], i) => html("option", { value: i, selected: i === this.speed }, name)));
    this.speedSelect.addEventListener("change", () => { this.speed = Number(this.speedSelect.value); this.linkSoon(); });
    return this.speedSelect;
  }

  seatName(seat) {
    return this.names[seat] ?? `Seat ${seat}`;
  }

  /** The game's words with the names of those who sit there. */
  named(sentence) {
    return named(sentence, this.names);
  }

  // ---- moving through the game ----
  async go(ply) {
    this.wanted = Math.max(0, Math.min(ply, this.plies));
    const asked = this.wanted;
    try {
      const [frame, before] = await Promise.all([this.reel.at(asked), asked ? this.reel.at(asked - 1) : null]);
      if (asked === this.wanted) this.show(frame, before?.state ?? null);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Another viewer takes this one's place. */
  silence() {
    this.pause();
    this.ears.abort();
  }

  slide(ply) {
    return this.go(ply);
  }

  step(by) {
    this.pause();
    return this.go(this.wanted + by);
  }

  async look(view) {
    this.open(view);
    await this.go(this.wanted);
    this.listMoves();
  }

  toggle() {
    if (this.timer) return this.pause();
    if (this.wanted >= this.plies) this.wanted = -1;
    this.setPlaying(true);
    this.tick();
    return undefined;
  }

  tick() {
    this.timer = setTimeout(async () => {
      await this.go(this.wanted + 1);
      if (!this.timer) return;
      if (this.wanted >= this.plies) this.pause();
      else this.tick();
    }, SPEEDS[this.speed][1]);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.setPlaying(false);
  }

  setPlaying(playing) {
    const label = playing ? "Pause" : "Play";
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
    this.playButton.replaceChildren(icon(playing ? "pause" : "play"));
    this.words.setAttribute("aria-live", playing ? "off" : "polite");
  }

  listen() {
    this.ears = new AbortController();
    const { signal } = this.ears;
    document.addEventListener("keydown", (event) => this.press(event), { signal });
    addEventListener("hashchange", () => this.follow(), { signal });
    this.stage.box.addEventListener("click", (event) => this.tellOf(event.target));
  }

  /** Arrows and space work wherever the reader is, but not where they have a meaning of their own. */
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const anywhere = { ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), " ": () => this.toggle() };
    const here = { Home: () => this.step(-this.plies), End: () => this.step(this.plies), PageUp: () => this.step(-10), PageDown: () => this.step(10) };
    const isHere = this.stage.box.contains(event.target) || this.caption.contains(event.target) || event.target === document.body;
    const act = anywhere[event.key] ?? (isHere ? here[event.key] : undefined);
    if (!act || event.target.closest("input, select, textarea, [contenteditable]") || (event.key === " " && event.target.closest("button, a, summary"))) return;
    event.preventDefault();
    act();
  }

  /** Somebody followed a link to a ply, a view or a speed of this match. */
  follow() {
    const { ply, view, speed } = this.readLink();
    if (speed !== null) this.speedSelect.value = this.speed = speed;
    if (view !== null && view !== this.view) {
      this.root.querySelector(`.views input[value="${view}"]`).checked = true;
      this.wanted = ply ?? this.wanted;
      this.look(view);
    } else if (ply !== null && ply !== this.wanted) {
      this.pause();
      this.go(ply);
    }
  }

  /** What a tap on a card or piece tells, where no pointer can hover: its words, and a closer look where the game has one. */
  tellOf(target) {
    const found = target.closest("g:has(> title)"), words = found?.querySelector(":scope > title")?.textContent ?? "";
    this.about.replaceChildren(html("span", {}, words));
    this.about.hidden = !words;
    const data = found?.closest("[data-card], [data-site], [data-event], [data-owned]")?.dataset;
    const drawn = data && this.state ? this.board.closeUp?.(data, this.state) : null;
    if (drawn) this.about.insertAdjacentHTML("afterbegin", drawn);
  }

  // ---- drawing ----
  show(frame, before) {
    const isStep = this.shown !== null && Math.abs(frame.ply - this.shown) === 1;
    this.ply = frame.ply;
    this.state = frame.state;
    this.tellOf(this.root);
    if (!frame.state) return this.showTold(frame);
    const last = readEntry(frame.entry);
    const sentence = last ? this.named(frame.said) : "The game begins.";
    this.stage.draw(frame, before, `After ply ${frame.ply}: ${sentence}`, isStep && !isStill.matches).dataset.view = this.view;
    const next = html("span", { class: "next" }, frame.state.outcome ? this.result(frame.state.outcome) : this.named(frame.next));
    this.words.replaceChildren(...(last ? [seatIcon(last.seat)] : []), html("span", {}, sentence, " ", next));
    this.showCards(frame.state);
    this.mark(frame.ply);
    this.shown = frame.ply;
    return undefined;
  }

  /** A ply of a match under older rules, past what today's allow: its action and no board. */
  showTold(frame) {
    const last = readEntry(frame.entry);
    this.stage.clear(html("div", { class: "state told", role: "note", "data-ply": frame.ply }, html("h2", {}, "Told as text from here on"),
      html("p", {}, "Today’s rules don’t allow this part of the match, so there is no board to draw.")));
    this.words.replaceChildren(...(last ? [seatIcon(last.seat), html("span", {}, `${this.seatName(last.seat)}: `, html("code", {}, last.text))] : []));
    this.cards.replaceChildren();
    this.mark(frame.ply);
    this.shown = null;
  }

  /** A card for each seat; those on which nothing changed stay. */
  showCards(state) {
    const fresh = this.names.map((_, seat) => this.seatCard(state, seat)), had = [...this.cards.children];
    if (had.length !== fresh.length) return this.cards.replaceChildren(...fresh);
    return fresh.forEach((card, seat) => { if (!card.isEqualNode(had[seat])) had[seat].replaceWith(card); });
  }

  seatCard(state, seat) {
    return seatCard(this.board, state, seat, this.seatName(seat), this.places[seat]);
  }

  result(outcome) {
    const first = outcome.ranks.flatMap((rank, seat) => (rank === 1 ? [this.seatName(seat)] : []));
    return first.length === 1 ? `${first[0]} won.` : `${first.join(", ")} share first place.`;
  }

  mark(ply) {
    this.slider.value = ply;
    this.slider.setAttribute("aria-valuetext", `ply ${ply} of ${this.plies}`);
    this.counter.textContent = `${ply} / ${this.plies}`;
    this.linkSoon();
    this.root.dispatchEvent(new CustomEvent("ply", { detail: ply, bubbles: true }));
    this.markRow();
  }

  /** Browsers refuse an address that changes too often, so it follows when the ply has stood for a moment. */
  linkSoon() {
    clearTimeout(this.linking);
    this.linking = setTimeout(() => history.replaceState(history.state, "", `${location.pathname}${location.search}${this.link()}`), 250);
  }

  markRow() {
    this.current?.removeAttribute("aria-current");
    this.current = this.list.querySelector(`[data-row="${this.ply}"]`);
    if (!this.current) return;
    this.current.setAttribute("aria-current", "step");
    this.scrolling ??= requestAnimationFrame(() => { // once a frame, when the page has been laid out anyway
      this.scrolling = null;
      this.showRow();
    });
  }

  showRow() {
    if (!this.current?.isConnected) return;
    const [box, at] = [this.scroll.getBoundingClientRect(), this.current.getBoundingClientRect()];
    if (at.top < box.top || at.bottom > box.bottom) this.scroll.scrollTop += at.top - box.top - box.height / 2;
  }

  async listMoves() {
    const reel = this.reel;
    this.list.replaceChildren();
    this.marks.replaceChildren();
    try {
      for await (const moments of reel.moments()) {
        if (reel !== this.reel) return;
        const told = moments.filter(({ entry }) => entry);
        this.list.append(...told.map((moment) => this.row(moment)));
        this.marks.append(...told.filter(({ mark }) => mark).map((moment) => this.beat(moment)));
        this.markRow();
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** Something notable on the time line: above it by an even seat, below by an odd one. */
  beat({ ply, entry, mark }) {
    const x = `${(100 * ply) / this.plies}%`, [y1, y2] = readEntry(entry).seat % 2 ? ["50%", "100%"] : ["0%", "50%"];
    return svg("line", { class: "beat", x1: x, x2: x, y1, y2, "data-mark": mark });
  }

  row({ ply, entry, said, mark }) {
    const last = readEntry(entry);
    const link = html("a", { class: "told", href: `#ply=${ply}` }, said ? this.named(said) : html("code", {}, last.text));
    const ms = this.times ? html("span", { class: "n" }, `${this.times[ply - 1] ?? "–"} ms`) : null;
    return html("li", { "data-row": ply, class: mark ? "notable" : null }, html("span", { class: "n" }, String(ply)), seatIcon(last.seat), html("span", { class: "user-text" }, link, said ? [" ", html("code", {}, last.text)] : null), ms);
  }

  fail(error) {
    this.pause();
    const again = html("button", { type: "button" }, "Try again");
    again.addEventListener("click", () => { this.stage.clear(); this.go(this.wanted); this.listMoves(); });
    this.stage.clear(html("div", { class: "state error", role: "alert" }, html("h2", {}, "The replay could not be loaded"),
      html("p", {}, `${error.message} The match itself is not affected.`), again));
  }
}

/** What a seat holds, what counts for it, and whether it is to act. */
function seatCard(board, state, seat, name, place) {
  const role = place && !/^Seat \d+$/.test(place) && !name.includes(place) ? html("span", { class: "label" }, place) : null;
  const facts = board.facts(state, seat).map(([label, value]) => html("div", {}, html("dt", {}, label), html("dd", {}, String(value))));
  const card = html("section", { class: state.to_act === seat ? "seatcard turn" : "seatcard", "data-standing": seat, "aria-label": name },
    html("header", {}, seatIcon(seat), html("span", { class: "who" }, name), role, turnTag(state, seat)), html("dl", {}, facts));
  const held = board.holdings?.(state, seat);
  if (held) card.lastChild.insertAdjacentHTML("beforebegin", held);
  return card;
}

function turnTag(state, seat) {
  if (state.outcome) return html("span", { class: "turntag" }, state.outcome.ranks[seat] === 1 ? "first" : `place ${state.outcome.ranks[seat]}`);
  return state.to_act === seat ? html("span", { class: "turntag" }, "to act") : null;
}

/** The game's words with names for seats. */
function named(sentence, names) {
  return (sentence ?? "").replace(/\{(\d+)\}/g, (_, seat) => names[Number(seat)] ?? `Seat ${seat}`);
}

/** A move in words, after the mark of its seat. */
export function sayMove(box, frame, names) {
  const last = readEntry(frame.entry);
  box.replaceChildren(...(last ? [seatIcon(last.seat)] : []), html("span", {}, last ? named(frame.said, names) : "The game begins."));
}

/** What counts for each seat, in the places that a page has for it. */
export function sayHoldings(root, board, state) {
  root.querySelectorAll("[data-holds]").forEach((box, seat) => { box.textContent = board.facts(state, seat).map((fact) => fact.join(" ")).join(", "); });
}

/** What each seat is called: the bot's own name, with its place where two bots share one. */
export function ownNames(seats, places) {
  const given = seats.map((name) => plain(name ?? ""));
  return given.map((name, seat) => {
    if (!name) return places[seat] ?? `Seat ${seat}`;
    return given.indexOf(name) === given.lastIndexOf(name) ? name : `${name} (${places[seat] ?? `seat ${seat}`})`;
  });
}

function readGiven(id) {
  const given = id && document.getElementById(id);
  return given ? JSON.parse(given.textContent) : null;
}

/** What a page says of a match in its attributes. */
export function told({ dataset }) {
  return { drawing: dataset.drawing, seats: JSON.parse(dataset.seats), places: JSON.parse(dataset.places ?? "[]"), plies: Number(dataset.plies ?? 0), view: dataset.view ?? "all", views: JSON.parse(dataset.views ?? "[]") };
}

const begun = new WeakSet();

/** Begin with what stands on the page and was not begun yet: fragments may bring more of it. */
export function eachNew(names, begin) {
  for (const root of document.querySelectorAll(names)) {
    if (!begun.has(root)) begin(root);
    begun.add(root);
  }
}

/** Turn every `[data-viewer]` of the page into a viewer. Frames come from `data-frames`, or are inlined under `data-given`. */
export function openViewers() {
  for (const root of document.querySelectorAll("[data-viewer]")) {
    const inlined = readGiven(root.dataset.given);
    const load = (eyes) => (inlined ? givenFrames(inlined[eyes]) : remoteFrames(root.dataset.frames, eyes === "all" ? null : eyes));
    const facts = told(root);
    new Viewer(root, { ...facts, load, times: readGiven(root.dataset.times), pageSize: inlined ? facts.plies + 1 : 60 }).start();
  }
}

/** A match that plays by itself on a page about something else: it rests off the screen, when it is reached by keyboard, and where no motion is wanted. */
class Featured {
  constructor(root) {
    this.root = root;
    this.part = (name) => root.querySelector(`[data-${name}]`);
    this.button = this.part("play");
  }

  async start([whole, step]) {
    const { drawing, seats, places, plies } = told(this.root);
    this.plies = plies;
    this.names = ownNames(seats, places);
    this.reel = new Reel(remoteFrames(this.root.dataset.frames, null), plies, 60);
    this.stage = new Stage(await drawingOf(drawing));
    this.stage.names = this.names;
    this.part("stage").replaceChildren(this.stage.box);
    this.show({ ...step, state: advance(whole.state, step.changes) }, whole.state);
    this.button.addEventListener("click", () => this.set(!this.playing));
    this.root.addEventListener("focusin", (event) => { if (event.target !== this.button) this.set(false); });
    new IntersectionObserver(([seen]) => { this.isSeen = seen.isIntersecting; }).observe(this.stage.box);
    this.set(!isStill.matches);
    const beat = setInterval(() => {
      if (!this.root.isConnected) clearInterval(beat);
      else if (this.playing && this.isSeen && !document.hidden) this.step();
    }, 1600);
  }

  set(playing) {
    this.playing = playing;
    this.button.hidden = false;
    this.button.setAttribute("aria-label", playing ? "Pause the match" : "Play the match");
    this.button.replaceChildren(icon(playing ? "pause" : "play"));
  }

  async step() {
    const ply = this.ply >= this.plies ? 1 : this.ply + 1;
    try {
      const [frame, before] = await Promise.all([this.reel.at(ply), this.reel.at(ply - 1)]);
      if (frame.state) this.show(frame, before.state, !isStill.matches);
      else this.set(false);
    } catch {
      this.set(false);
    }
  }

  show(frame, before, moving = false) {
    this.ply = frame.ply;
    const said = named(frame.said, this.names);
    this.stage.draw(frame, before, said, moving);
    sayHoldings(this.root, this.stage.drawing, frame.state);
    sayMove(this.part("said"), frame, this.names);
    this.part("count").textContent = `${frame.ply} / ${this.plies}`;
    this.part("done").setAttribute("x2", `${(100 * frame.ply) / this.plies}%`);
  }
}

/** Let every `[data-featured]` of the page play its match; it begins at the position under `data-given`. */
export function playFeatured() {
  eachNew("[data-featured]", (root) => new Featured(root).start(readGiven(root.dataset.given)));
}

/** Draw every `[data-scene]` of the page: a piece of a board as a picture, from the state under `data-given`. */
export function drawScenes() {
  for (const root of document.querySelectorAll("[data-scene]")) scene(root, readGiven(root.dataset.given));
}

/** What `data-holds` says that a seat holds, or what `data-around` names of the board, or the drawing's own view of it. */
async function scene(root, frame) {
  const drawing = await drawingOf(root.dataset.drawing), { holds, around, name, label } = root.dataset;
  if (holds) {
    const card = seatCard(drawing, frame.state, Number(holds), name, "");
    card.removeAttribute("aria-label"); // a picture among others, no landmark
    root.replaceChildren(card);
    return card.querySelectorAll("svg.drawn").forEach(readable);
  }
  const stage = new Stage(drawing);
  stage.layout = () => "wide";
  root.replaceChildren(stage.box);
  const board = stage.draw(frame, frame.before ?? null, label ?? "");
  board.setAttribute("viewBox", (around ? boxAround(board, around, stage.box) : drawing.scene).join(" "));
  readable(board);
  return undefined;
}

const READABLE_PX = 11, MOST_GROWN = 1.25;

/** In a picture letters grow until they can be read, and those that would have to grow too much are left out. */
function readable(board) {
  const scale = board.getScreenCTM().a;
  for (const text of board.querySelectorAll("text")) {
    const own = parseFloat(getComputedStyle(text).fontSize), size = own * (text.getScreenCTM().a || scale), grown = READABLE_PX / size;
    if (grown > MOST_GROWN) text.remove();
    else if (grown > 1) text.style.fontSize = `${own * grown}px`;
  }
}

const LEAST_WIDTH = 300; // of a picture, in the board's own units: things don't grow beyond all measure

/** Where these stand on a board, in its own units: [x, y, width, height] round the middle of each. */
export function boxesOf(board, names) {
  const back = board.getScreenCTM().inverse();
  return [...board.querySelectorAll(names)].map((drawn) => {
    const { x, y, width, height } = drawn.getBBox(), there = back.multiply(drawn.getScreenCTM());
    const [from, to] = [[x, y], [x + width, y + height]].map(([cx, cy]) => new DOMPoint(cx, cy).matrixTransform(there));
    return [(from.x + to.x) / 2, (from.y + to.y) / 2, to.x - from.x, to.y - from.y];
  });
}

/** The part of a board that shows all of these with a margin, in the shape of the box that it is shown in. */
function boxAround(board, names, { clientWidth, clientHeight }) {
  const boxes = boxesOf(board, names), margin = 24, shape = clientWidth / clientHeight;
  const ends = (at, size) => [Math.min(...boxes.map((box) => box[at] - box[size] / 2)) - margin, Math.max(...boxes.map((box) => box[at] + box[size] / 2)) + margin];
  const [[left, right], [top, bottom]] = [ends(0, 2), ends(1, 3)], [wide, high] = [right - left, bottom - top];
  const width = Math.max(wide, high * shape, LEAST_WIDTH), height = width / shape;
  return [left - (width - wide) / 2, top - (height - high) / 2, width, height].map(Math.round);
}

openViewers();
playFeatured();
drawScenes();
document.addEventListener("htmx:load", playFeatured);
