// The replay viewer: board, last words, transport, seats, moves, whose eyes. `<div data-viewer data-…>` becomes one.
import { Reel, givenFrames, readEntry, remoteFrames } from "./frames.js";
import { drawScenes, playFeatured } from "./pictures.js";
import { html, icon, seatIcon, svg } from "./pieces.js";
import { Stage, drawingOf, isPhone, isStill } from "./stage.js";
import { legendOf, named, ownNames, readGiven, SeatCard, standing, told } from "./telling.js";

const SPEEDS = [["slow", 1600], ["normal", 800], ["fast", 300], ["fastest", 90]];
const COMMON_VIEWS = { all: "Everything", public: "What everyone knows" }; // the others are seats' own
const ROWS = 20; // of one list: one that is off the screen is not laid out, and that is cheaper to keep up for a few lists than for every row
const HURRY_MS = 250; // a slider that goes on within such a time is being drawn along: pieces don't glide, and the list waits
const CARDS_MS = 100; // in which meanwhile every seat card is looked at once
const EMPTY_MS = 300; // how long a page waits for its first position before it shows an empty board

/** Once the browser has shown what stands there now. */
const shownOnce = () => new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); });
/** Once the browser has nothing better to do, or soon. */
const restful = () => new Promise((done) => { window.requestIdleCallback ? requestIdleCallback(done, { timeout: 100 }) : setTimeout(done); });
const passed = (ms) => new Promise((done) => { setTimeout(done, ms); });

export class Viewer {
  constructor(root, { drawing, plies, seats, places, views, view, load, times, pageSize, atHand }) {
    Object.assign(this, { root, drawing, plies, seats, places, views, times, pageSize, atHand, loadFor: load });
    this.firstView = view;
    this.view = view;
    this.ply = 0;
    this.timer = null;
    this.speed = 1;
    this.wanted = 0;
    this.nextCard = 0;
  }

  /** The first position is asked for before anything is built, so that the page is laid out once, and shown before the seats and the moves. */
  async start() {
    const link = this.readLink();
    this.speed = link.speed ?? this.speed;
    this.open(link.view ?? this.view);
    document.documentElement.classList.add("opening");
    this.board = await drawingOf(this.drawing);
    this.names = ownNames(this.seats, this.places);
    const ply = this.firstPly ?? link.ply ?? Math.min(this.board.firstPly ?? 0, this.plies);
    await Promise.race([this.reel.at(ply).catch(() => null), passed(EMPTY_MS)]); // what goes wrong is told by `go`
    this.build();
    this.listen();
    this.isOpening = true;
    await this.go(ply);
    await shownOnce();
    document.documentElement.classList.remove("opening");
    await restful();
    this.isOpening = false;
    this.furnish();
    this.showBeside();
    this.listMoves();
  }

  /** What the address says: `#ply=12&view=1&speed=fast`; null where it says nothing that this match has. */
  readLink() {
    const given = new URLSearchParams(location.hash.slice(1));
    history.replaceState({ ...history.state, isRead: true }, "");
    const speed = SPEEDS.findIndex(([name]) => name === given.get("speed"));
    const ply = /^\d{1,7}$/.test(given.get("ply") ?? "") ? Math.min(Number(given.get("ply")), this.plies) : null;
    return { ply, view: this.views.includes(given.get("view")) ? given.get("view") : null, speed: speed < 0 ? null : speed };
  }

  link() {
    return `#ply=${this.ply}&view=${this.view}&speed=${SPEEDS[this.speed][0]}`;
  }

  open(view) {
    this.view = view;
    this.reel = new Reel(this.loadFor(view), this.plies, this.pageSize, view === this.firstView ? this.atHand : []);
    this.shown = null;
  }

  // ---- what stands on the page ----
  build() {
    this.stage = new Stage(this.board, { tabindex: "0", role: "region", "aria-label": "Board; keys: space plays, arrows step, Home and End" });
    this.stage.names = this.names;
    this.words = html("p", { class: "last-words", tabindex: "0", "aria-live": "polite" });
    this.about = html("p", { class: "about", role: "status", hidden: true });
    this.list = html("div", { class: "movelist", tabindex: "0", role: "region", "aria-label": "Moves" });
    this.rows = [];
    this.seatCards = this.names.map((name, seat) => new SeatCard(seat, name, this.places[seat]));
    this.cards = html("div", { class: "seatcards" });
    this.caption = html("div", { class: "caption" }, this.about, this.words, this.transport());
    const rail = html("aside", { class: "rail", tabindex: "0", "aria-label": "Seats and moves" }, this.cards, html("div", { class: "moveshead" }, html("h2", {}, "Moves"), this.learnLink()), this.list);
    this.root.replaceChildren(this.stage.box, this.caption, rail);
    const place = () => (isPhone.matches ? rail.prepend(this.extras) : this.counter.after(this.extras));
    isPhone.addEventListener("change", place);
    place();
  }

  /** The key to the board, which the first position does not wait for. */
  furnish() {
    const legend = legendOf(this.board);
    if (legend) this.cards.after(legend);
  }

  /** Where somebody who does not know the game can learn it, if the page says so. */
  learnLink() {
    const { learn, game } = this.root.dataset;
    return learn ? html("a", { href: learn, class: "small" }, `Learn ${game}`) : null;
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
      button("on", "Forward one ply", () => this.step(1)), button("last", "Last", () => this.step(this.plies)));
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
      const seat = Number(view), isSeat = !Number.isNaN(seat), knows = COMMON_VIEWS[view] ?? `What ${this.seatName(seat)} knows`;
      const name = isSeat ? [seatIcon(seat), html("span", { class: "who" }, html("span", { class: "visually-hidden" }, "What "), this.seatName(seat), html("span", { class: "visually-hidden" }, " knows"))] : [html("span", {}, knows)];
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
    const [asked, reel] = [this.wanted, this.reel];
    try {
      const [frame, before] = await Promise.all([reel.at(asked), asked ? reel.at(asked - 1) : null]);
      if (asked === this.wanted && reel === this.reel) this.show(frame, before?.state ?? null);
    } catch (error) {
      if (asked === this.wanted && reel === this.reel) this.fail(error);
    }
  }

  /** Another viewer takes this one's place. */
  silence() {
    this.pause();
    this.ears.abort();
  }

  /** However often the slider moves, the board follows once a frame. */
  slide(ply) {
    const now = performance.now();
    this.isHurried = now - this.slidAt < HURRY_MS;
    this.slidAt = now;
    this.slidTo = ply;
    this.sliding ??= requestAnimationFrame(() => {
      this.sliding = null;
      this.go(this.slidTo);
    });
  }

  step(by) {
    this.pause();
    this.isHurried = false;
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
    this.isHurried = false;
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
    const keep = () => this.showRow(); // a list that was no higher than a line for a moment has lost its place
    new ResizeObserver(keep).observe(this.list);
    addEventListener("resize", keep, { signal }); // the observer misses a moment between two frames
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
    const isStep = this.shown !== null && Math.abs(frame.ply - this.shown) === 1 && !this.isHurried;
    this.ply = frame.ply;
    this.state = frame.state;
    if (!this.about.hidden) this.tellOf(this.root);
    if (!frame.state) return this.showTold(frame);
    const last = readEntry(frame.entry);
    const sentence = last ? this.named(frame.said) : "The game begins.";
    this.stage.draw(frame, before, `After ply ${frame.ply}: ${sentence}`, isStep && !isStill.matches).dataset.view = this.view;
    const next = html("span", { class: "next" }, frame.state.outcome ? this.result(frame.state.outcome) : this.named(frame.next));
    this.words.replaceChildren(...(last ? [seatIcon(last.seat)] : []), html("span", {}, sentence, " ", next));
    this.mark(frame.ply);
    this.shown = frame.ply;
    return undefined;
  }

  /** A ply of a match under older rules, past what today's allow: its action and no board. */
  showTold(frame) {
    const last = readEntry(frame.entry);
    this.stage.clear(html("div", { class: "state told", role: "note", "data-ply": frame.ply }, html("h2", {}, "Shown as text from here on"),
      html("p", {}, "Today’s rules don’t allow this part of the match, so there is no board to draw.")));
    this.words.replaceChildren(...(last ? [seatIcon(last.seat), html("span", {}, `${this.seatName(last.seat)}: `, html("code", {}, last.text))] : []));
    this.mark(frame.ply);
    this.shown = null;
  }

  /** What stands beside the board follows it; while the slider is drawn along, the cards a few times a second and the list when it rests. */
  besideSoon() {
    if (this.isOpening) return;
    clearTimeout(this.resting);
    if (!this.isHurried) return this.showBeside();
    this.resting = setTimeout(() => this.showBeside(), HURRY_MS);
    this.carding ??= setTimeout(() => this.showNextCard(), CARDS_MS / this.seatCards.length);
    return undefined;
  }

  showBeside() {
    this.showCards();
    this.markRow();
  }

  /** A card for each seat; none where there is no board. */
  showCards() {
    clearTimeout(this.carding);
    this.carding = null;
    const shown = this.state ? this.seatCards.map((card) => this.showCard(card)) : [];
    if (this.cards.childElementCount !== shown.length) this.cards.replaceChildren(...shown);
  }

  showCard(card) {
    return card.show(this.board, this.state, this.tag(this.state, card.seat));
  }

  /** One card at a time, so that no frame waits for all of them. */
  showNextCard() {
    this.carding = null;
    if (!this.state || !this.cards.childElementCount) return this.showCards();
    this.nextCard = (this.nextCard + 1) % this.seatCards.length;
    return this.showCard(this.seatCards[this.nextCard]);
  }

  tag(state, seat) {
    return standing(state, seat);
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
    this.besideSoon();
  }

  /** Browsers refuse an address that changes too often, so it follows when the ply has stood for a moment. */
  linkSoon() {
    clearTimeout(this.linking);
    this.linking = setTimeout(() => this.writeLink(), 250);
  }

  writeLink() {
    if (!history.state?.isRead) return; // a link was followed this very moment, to wherever it leads
    history.replaceState(history.state, "", `${location.pathname}${location.search}${this.link()}`);
  }

  markRow() {
    const row = this.rows[this.ply];
    if (row !== this.current) this.current?.removeAttribute("aria-current");
    this.current = row;
    if (!row) return;
    row.setAttribute("aria-current", "step");
    this.scrolling ??= shownOnce().then(() => { // when the page has been laid out anyway
      this.scrolling = null;
      this.showRow();
    });
  }

  showRow() {
    if (!this.current?.isConnected) return;
    const [box, at] = [this.list.getBoundingClientRect(), this.current.getBoundingClientRect()];
    if (at.top < box.top || at.bottom > box.bottom) this.list.scrollTop += at.top - box.top - Math.max(0, (box.height - at.height) / 2);
  }

  async listMoves() {
    const reel = this.reel;
    this.clearMoves();
    try {
      for await (const moments of reel.moments()) {
        const told = moments.filter(({ entry }) => entry);
        for (let first = 0; first < told.length; first += ROWS) {
          await restful();
          if (reel !== this.reel) return;
          this.tellMoves(told.slice(first, first + ROWS));
        }
      }
    } catch (error) {
      if (reel === this.reel) this.fail(error);
    }
  }

  tellMoves(moments) {
    this.addRows(moments);
    this.marks.append(...moments.filter(({ mark }) => mark).map((moment) => this.beat(moment)));
    this.markRow();
  }

  clearMoves() {
    this.rows = [];
    this.list.replaceChildren();
    this.marks.replaceChildren();
  }

  addRows(moments) {
    for (const moment of moments) {
      if (!(this.list.lastChild?.childElementCount < ROWS)) this.list.append(html("ol", { start: moment.ply }));
      this.list.lastChild.append((this.rows[moment.ply] = this.row(moment)));
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

/** Turn every `[data-viewer]` of the page into a viewer. Frames come from `data-frames`, or are inlined under `data-given`. */
export function openViewers() {
  for (const root of document.querySelectorAll("[data-viewer]")) {
    const inlined = readGiven(root.dataset.given);
    const load = (eyes) => (inlined ? givenFrames(inlined[eyes]) : remoteFrames(root.dataset.frames, eyes === "all" ? null : eyes));
    const facts = told(root);
    new Viewer(root, { ...facts, load, times: readGiven(root.dataset.times), pageSize: inlined ? facts.plies + 1 : 60, atHand: readGiven(root.dataset.atHand) ?? [] }).start();
  }
}

openViewers();
playFeatured();
drawScenes();
document.addEventListener("htmx:load", playFeatured);
