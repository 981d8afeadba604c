// The replay viewer: board, last words, transport, how it stands, move list, whose eyes. `<div data-viewer data-…>` becomes one.
import { Reel, advance, givenFrames, readEntry, remoteFrames } from "./frames.js";
import { html, plain, seatIcon, signed, svg, words } from "./pieces.js";

const BOARDS = {
  speak_easy: () => import("./boards/speak_easy.js"),
  gatsby: () => import("./boards/gatsby.js"),
  capone: () => import("./boards/capone.js"),
  cotton_club: () => import("./boards/cotton_club.js"),
};
const SPEEDS = [["slow", 1600], ["normal", 800], ["fast", 300], ["fastest", 90]];
const ICONS = {
  first: "M2 2h2v12H2zM14 2v12L5 8z",
  back: "M12 2v12L3 8z",
  play: "M3 1l11 7-11 7z",
  pause: "M3 2h4v12H3zM9 2h4v12H9z",
  on: "M4 2v12l9-6z",
  last: "M12 2h2v12h-2zM2 2v12l9-6z",
};
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

function icon(name) {
  return svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

export class Viewer {
  constructor(root, { game, plies, seats, views, view, load, times, pageSize }) {
    Object.assign(this, { root, game, plies, seats, views, times, pageSize, loadFor: load });
    this.view = view;
    this.ply = 0;
    this.timer = null;
    this.speed = 1;
    this.wanted = 0;
  }

  async start() {
    this.board = await BOARDS[this.game]();
    this.names = this.ownNames();
    this.build();
    this.open(this.view);
    this.listen();
    await this.go(this.plyOfLink() ?? Math.min(this.board.firstPly ?? 0, this.plies));
    this.listMoves();
  }

  plyOfLink() {
    const found = /(?:^#|&)ply=(\d+)/.exec(location.hash);
    return found ? Math.min(Number(found[1]), this.plies) : null;
  }

  open(view) {
    this.view = view;
    this.reel = new Reel(this.loadFor(view), this.plies, this.pageSize);
    this.shown = null;
  }

  // ---- what stands on the page ----
  build() {
    this.stage = html("div", { class: `stage stage-${this.game}`, tabindex: "0", role: "region", "aria-label": "Board; keys: space plays, arrows step, Home and End" });
    this.words = html("p", { class: "last-words", "aria-live": "polite" });
    this.list = html("tbody");
    this.scroll = html("div", { class: "movelist", tabindex: "0", role: "region", "aria-label": "Moves" }, this.table());
    this.key = html("div", { class: "label boardkey" }, (this.board.key ?? []).map((line) => html("p", {}, line)));
    this.standing = html("div", { class: "standing", tabindex: "0", role: "region", "aria-label": "How it stands" });
    this.figure = html("div", { class: "figure" }, this.stage, html("div", { class: "caption" }, this.words, this.transport()), this.choices(), this.key);
    this.moves = html("section", { class: "panel moves" }, html("h2", {}, "How it stands"), this.standing, html("h2", {}, "Moves"), this.scroll);
    this.root.replaceChildren(this.figure, this.moves);
  }

  table() {
    const head = ["Ply", "Seat", "Move"].map((name, i) => html("th", { scope: "col", class: i ? null : "num" }, name));
    if (this.times) head.push(html("th", { scope: "col", class: "num" }, "ms"));
    return html("table", {}, html("thead", {}, html("tr", {}, head)), this.list);
  }

  transport() {
    const button = (name, label, act) => {
      const made = html("button", { type: "button", "aria-label": label, "data-do": name }, icon(name));
      made.addEventListener("click", act);
      return made;
    };
    this.playButton = button("play", "Play", () => this.toggle());
    this.playButton.classList.add("play");
    const keys = html("div", { class: "keys", role: "group", "aria-label": "Replay" },
      button("first", "First", () => this.go(0)), button("back", "Back one ply", () => this.step(-1)), this.playButton,
      button("on", "On one ply", () => this.step(1)), button("last", "Last", () => this.go(this.plies)));
    this.slider = html("input", { type: "range", min: 0, max: this.plies, value: 0, "aria-label": "Ply" });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.counter = html("span", { class: "small count" });
    return html("div", { class: "transport" }, keys, this.slider, this.counter);
  }

  choices() {
    return html("div", { class: "choices" }, this.eyes(), this.speeds());
  }

  eyes() {
    const options = this.views.map((view) => {
      const input = html("input", { type: "radio", name: "view", value: view, checked: view === this.view });
      input.addEventListener("change", () => this.look(view));
      const name = view === "all" ? "Everything" : `What ${this.seatName(Number(view))} knows`;
      return html("label", {}, input, name);
    });
    return html("fieldset", { class: "views" }, html("legend", { class: "visually-hidden" }, "What is shown"), options);
  }

  speeds() {
    const select = html("select", {}, SPEEDS.map(([name], i) => html("option", { value: i, selected: i === this.speed }, name)));
    select.addEventListener("change", () => { this.speed = Number(select.value); });
    return html("label", { class: "speed" }, "Speed", select);
  }

  /** What each seat is called here: the bot's own name, with its place where two bots share one. */
  ownNames() {
    const given = this.seats.map((name) => plain(name ?? ""));
    return given.map((name, seat) => {
      if (!name) return this.placeName(seat);
      return given.indexOf(name) === given.lastIndexOf(name) ? name : `${name} (${this.placeName(seat)})`;
    });
  }

  placeName(seat) {
    return this.board.seatNames?.[seat] ?? `Seat ${seat}`;
  }

  seatName(seat) {
    return this.names[seat] ?? this.placeName(seat);
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

  step(by) {
    this.pause();
    return this.go(this.wanted + by);
  }

  async look(view) {
    this.open(view);
    this.fresh = true;
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
    this.playButton.setAttribute("aria-label", playing ? "Pause" : "Play");
    this.playButton.replaceChildren(icon(playing ? "pause" : "play"));
    this.words.setAttribute("aria-live", playing ? "off" : "polite");
  }

  listen() {
    const keys = { ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.step(-this.plies), End: () => this.step(this.plies), " ": () => this.toggle(), PageUp: () => this.step(-10), PageDown: () => this.step(10) };
    this.stage.addEventListener("keydown", (event) => {
      if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
    addEventListener("hashchange", () => { const ply = this.plyOfLink(); if (ply !== null && ply !== this.wanted) { this.pause(); this.go(ply); } });
  }

  // ---- drawing ----
  /** The board of a frame, and its last action in words. */
  picture(frame, before) {
    const last = readEntry(frame.entry);
    const sentence = last ? this.told(last, before, frame.state) : "The game begins.";
    const drawn = this.board.draw(frame.state, { last, before, seats: this.names });
    drawn.setAttribute("class", "board");
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", `After ply ${frame.ply}: ${sentence}`);
    drawn.dataset.ply = frame.ply;
    drawn.dataset.view = this.view;
    return [drawn, last, sentence];
  }

  /** One position and nothing to press, for a page about something else; the given frames are it and the one before. */
  async stand([whole, step]) {
    this.board = await BOARDS[this.game]();
    this.names = this.ownNames();
    const frame = { ...step, state: advance(structuredClone(whole.state), step.changes) };
    const [drawn, last, sentence] = this.picture(frame, whole.state);
    this.root.replaceChildren(html("div", { class: `stage stage-${this.game}` }, drawn), html("p", { class: "last-words" }, seatIcon(last.seat), ` ${sentence} ${this.next(frame.state)}`));
  }

  show(frame, before) {
    const isStep = this.shown !== null && Math.abs(frame.ply - this.shown) === 1;
    this.ply = frame.ply;
    if (!frame.state) return this.showTold(frame);
    const [drawn, last, sentence] = this.picture(frame, before);
    const places = isStep && !isStill.matches ? this.places() : null;
    this.stage.replaceChildren(drawn);
    if (places) this.glide(drawn, places);
    this.words.replaceChildren(...(last ? [seatIcon(last.seat), " "] : []), `${this.ending(frame, sentence)} ${this.next(frame.state)}`.trim());
    this.standing.replaceChildren(this.score(frame.state, before));
    this.mark(frame.ply);
    this.shown = frame.ply;
    return undefined;
  }

  /** A ply of a match under older rules, past what today's allow: its action and no board. */
  showTold(frame) {
    const last = readEntry(frame.entry);
    this.stage.replaceChildren(html("div", { class: "state told", role: "note", "data-ply": frame.ply }, html("h2", {}, "Told as text from here on"),
      html("p", {}, "Today’s rules don’t allow this part of the match, so there is no board to draw.")));
    this.words.replaceChildren(...(last ? [seatIcon(last.seat), ` ${this.seatName(last.seat)}: `, html("code", {}, last.text)] : []));
    this.standing.replaceChildren();
    this.mark(frame.ply);
    this.shown = null;
  }

  told(last, before, after) {
    return this.board.tell(last, before, after, (seat) => this.seatName(Number(seat)));
  }

  /** Whose turn it is, and what is wanted. */
  next(state) {
    return state.to_act === null ? "" : `Next: ${this.seatName(state.to_act)} ${this.board.asks(state)}.`;
  }

  // ---- how it stands: a row for each seat, with what the last action changed ----
  score(state, before) {
    const [now, then] = [this.board.standing(state), before ? this.board.standing(before) : null];
    const heads = ["Bot", ...now[0].map(([label]) => label), state.outcome ? "Rank" : "Turn"];
    const rows = now.map((facts, seat) => html("tr", { class: state.to_act === seat ? "turn" : null, "data-standing": seat },
      html("th", { scope: "row" }, seatIcon(seat), " ", this.seatName(seat), this.role(seat)),
      facts.map(([, value], i) => this.fact(value, then?.[seat][i][1])),
      html("td", {}, this.place(state, seat))));
    const head = html("tr", {}, heads.map((label, i) => html("th", { scope: "col", class: i && i < heads.length - 1 ? "num" : null }, label)));
    return html("table", {}, html("thead", {}, head), html("tbody", {}, rows));
  }

  fact(value, was) {
    const change = typeof value === "number" && typeof was === "number" ? value - was : 0;
    return html("td", { class: "num" }, String(value), change ? html("span", { class: "change" }, ` ${signed(change)}`) : null);
  }

  role(seat) {
    const place = this.board.seatNames?.[seat];
    return place && !this.seatName(seat).includes(place) ? html("span", { class: "label" }, ` ${place}`) : null;
  }

  place(state, seat) {
    if (state.outcome) return String(state.outcome.ranks[seat]);
    return state.to_act === seat ? "to act" : "";
  }

  ending(frame, sentence) {
    const outcome = frame.state.outcome;
    if (!outcome) return sentence;
    const first = outcome.ranks.flatMap((rank, seat) => (rank === 1 ? [this.seatName(seat)] : []));
    return `${sentence} ${first.length === 1 ? `${first[0]} won` : `${first.join(", ")} share first place`}: ${words(outcome.ending)}.`;
  }

  places() {
    const found = new Map();
    for (const piece of this.stage.querySelectorAll("[data-key]")) found.set(piece.dataset.key, piece.getAttribute("transform"));
    return found;
  }

  glide(drawn, places) {
    const shift = (transform) => /translate\(([^ )]+) ([^ )]+)\)/.exec(transform ?? "");
    for (const piece of drawn.querySelectorAll("[data-key]")) {
      const [from, to] = [shift(places.get(piece.dataset.key)), shift(piece.getAttribute("transform"))];
      if (!from || !to || from[0] === to[0]) continue;
      const at = (m) => ({ transform: `translate(${m[1]}px, ${m[2]}px)` });
      piece.animate([at(from), at(to)], { duration: 160, easing: "ease-out" });
    }
  }

  mark(ply) {
    this.slider.value = ply;
    this.slider.setAttribute("aria-valuetext", `ply ${ply} of ${this.plies}`);
    this.counter.textContent = `${ply} / ${this.plies}`;
    this.linkSoon(ply);
    this.root.dispatchEvent(new CustomEvent("ply", { detail: ply, bubbles: true }));
    this.markRow();
  }

  /** Browsers refuse an address that changes too often, so it follows when the ply has stood for a moment. */
  linkSoon(ply) {
    clearTimeout(this.linking);
    this.linking = setTimeout(() => history.replaceState(history.state, "", `${location.pathname}${location.search}#ply=${ply}`), 250);
  }

  markRow() {
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = this.list.querySelector(`[data-row="${this.ply}"]`);
    if (!row) return;
    row.setAttribute("aria-current", "step");
    const [box, at] = [this.scroll.getBoundingClientRect(), row.getBoundingClientRect()];
    if (at.top < box.top + 32 || at.bottom > box.bottom) this.scroll.scrollTop += at.top - box.top - box.height / 2;
  }

  async listMoves() {
    const reel = this.reel;
    this.list.replaceChildren();
    try {
      for await (const moments of reel.moments()) {
        if (reel !== this.reel) return;
        this.list.append(...moments.filter(({ entry }) => entry).map((moment) => this.row(moment)));
        this.markRow();
      }
    } catch (error) {
      this.fail(error);
    }
  }

  row({ ply, entry, before, state }) {
    const last = readEntry(entry);
    const text = html("code", {}, last.text);
    const link = html("a", { class: "told", href: `#ply=${ply}` }, state ? this.told(last, before, state) : text);
    const cells = [html("td", { class: "num muted" }, String(ply)), html("td", {}, seatIcon(last.seat)),
      html("td", { class: "user-text wrap" }, link, ...(state ? [" ", text] : []))];
    if (this.times) cells.push(html("td", { class: "num muted" }, this.times[ply - 1] ?? ""));
    return html("tr", { "data-row": ply }, cells);
  }

  fail(error) {
    this.pause();
    const again = html("button", { type: "button" }, "Try again");
    again.addEventListener("click", () => { this.stage.replaceChildren(); this.go(this.wanted); this.listMoves(); });
    this.stage.replaceChildren(html("div", { class: "state error", role: "alert" }, html("h2", {}, "The replay could not be loaded"),
      html("p", {}, `${error.message} The match itself is not affected.`), again));
  }
}

function readGiven(id) {
  const given = id && document.getElementById(id);
  return given ? JSON.parse(given.textContent) : null;
}

/** Turn every `[data-viewer]` of the page into a viewer. Frames come from `data-frames`, or are inlined under `data-given`. */
export function openViewers() {
  for (const root of document.querySelectorAll("[data-viewer]")) {
    const { game, plies, view, frames, given, times } = root.dataset;
    const inlined = readGiven(given);
    const load = (eyes) => {
      if (inlined) return givenFrames(inlined[eyes]);
      return remoteFrames(frames, eyes === "all" ? null : eyes);
    };
    const viewer = new Viewer(root, {
      game, load, view, plies: Number(plies), seats: JSON.parse(root.dataset.seats),
      views: JSON.parse(root.dataset.views), times: readGiven(times), pageSize: inlined ? Number(plies) + 1 : 60,
    });
    viewer.start();
  }
}

/** Draw every `[data-still]` of the page: one position, whose frames are inlined under `data-given`. */
export function drawStills() {
  for (const root of document.querySelectorAll("[data-still]")) {
    const seats = JSON.parse(root.dataset.seats);
    new Viewer(root, { game: root.dataset.game, plies: 0, seats, views: [], view: "all" }).stand(readGiven(root.dataset.given));
  }
}

openViewers();
drawStills();
