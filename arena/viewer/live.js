// A match as it is played: the viewer follows its end, can be scrubbed back, says how the line stands, and becomes a replay.
import { Reel, advance, remoteFrames } from "./frames.js";
import { html } from "./pieces.js";
import { Stage, drawingOf, isStill } from "./stage.js";
import { eachNew, ownNames, readGiven, sayHoldings, sayMove, told } from "./telling.js";
import { Viewer } from "./viewer.js";

const POLL_MS = 1000, PATIENCE_MS = 25000, CATCH_UP_MS = 1200, STEP_MS = 400;
const OPEN_LATER = ["over", "settled"];

/** All frames that have come so far, as states can be asked of it; the same questions as a Reel answers. */
export class Growing {
  constructor() {
    this.frames = [];
    this.states = [];
  }

  get last() {
    return this.frames.length - 1;
  }

  /** Frames that are already here are passed over; false where one is missing in between. */
  add(frames) {
    for (const frame of frames) {
      if (frame.ply < this.frames.length) continue;
      if (frame.ply > this.frames.length) return false;
      this.states.push(frame.state ?? advance(this.states.at(-1), frame.changes));
      this.frames.push(frame);
    }
    return true;
  }

  async at(ply) {
    if (ply > this.last) throw new Error(`Ply ${ply} has not been played yet.`);
    return { ...this.frames[ply], state: this.states[ply] };
  }

  async *moments() {
    yield this.frames;
  }
}

/** News of a match, from the stream where it can be reached and by asking the site where not. `tell(event, data)` hears all. */
export class Line {
  constructor({ stream, poll, tell }) {
    Object.assign(this, { stream, poll, tell, place: "", failures: 0, lostAt: null });
    document.addEventListener("visibilitychange", () => { if (!document.hidden && this.isQuiet()) this.open(); });
    addEventListener("online", () => this.open());
  }

  open() {
    this.close();
    this.isOver = false;
    this.heardAt = Date.now();
    if (this.stream && this.failures < 2) this.listen();
    else this.ask();
    this.watch = setInterval(() => { if (this.isQuiet()) { this.lost(); this.open(); } }, 5000);
  }

  isQuiet() {
    return !this.isOver && Date.now() - this.heardAt > PATIENCE_MS;
  }

  listen() {
    const source = new EventSource(`${this.stream}?after=${this.place}`);
    this.source = source;
    for (const name of ["begin", "frames", "phase", "beat"]) source.addEventListener(name, (event) => { if (source === this.source) this.hear(name, JSON.parse(event.data), event.lastEventId); });
    source.addEventListener("error", () => { if (source === this.source) this.stumble(); });
  }

  /** The stream was cut: it is tried again from where we are, and after two tries in vain the site is asked. */
  stumble() {
    this.source.close();
    this.failures += 1;
    this.lost();
    this.retry = setTimeout(() => this.open(), this.failures < 2 ? 1500 : 0);
  }

  async ask() {
    const asked = this.place;
    try {
      const answer = await fetch(`${this.poll}?after=${asked}`, { headers: { Accept: "application/json" }, credentials: "same-origin" });
      if (!answer.ok) throw new Error(String(answer.status));
      const { events } = await answer.json();
      if (asked !== this.place) return;
      for (const { event, data, id } of events) this.hear(event, data, id);
      this.hear("beat", {}, this.place);
    } catch {
      this.lost();
    }
    if (!this.isOver) this.retry = setTimeout(() => this.ask(), POLL_MS);
  }

  hear(event, data, place) {
    this.heardAt = Date.now();
    if (this.source) this.failures = 0;
    if (place) this.place = place;
    if (this.lostAt !== null) {
      this.lostAt = null;
      this.tell("found", {});
    }
    if (event !== "beat") this.tell(event, data);
  }

  lost() {
    if (this.isOver || this.lostAt !== null) return;
    this.lostAt = new Date();
    this.tell("lost", { since: this.lostAt });
  }

  /** Begin again from nothing: what came did not fit. */
  anew() {
    this.place = "";
    this.open();
  }

  close() {
    clearInterval(this.watch);
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
  }

  end() {
    this.isOver = true;
    this.close();
  }
}

const SAID = {
  waiting: "Waiting for a worker", playing: "Live", silent: "No word from the worker", over: "Over", settled: "Over", off: "Called off",
};
const FOLLOWS = { over: ["At the end", "To the end"], off: ["At the end", "To the end"], waiting: ["Will follow live", "Follow live"] }; // else it is being played
const MORE = {
  again: "The worker stopped responding. The match will restart with the same deal as soon as another worker takes it.",
  silent: "If it does not come back, the match will restart.",
  over: "The hands are revealed when the other matches of the set have been played: they share its deal.",
  off: "This match was called off and will not be played.",
};

/** The viewer of a running match. */
export class LiveViewer extends Viewer {
  constructor(root, given) {
    super(root, { ...given, plies: 0, views: ["public"], view: "public", load: () => async () => [], times: null, pageSize: 60 });
    this.growing = new Growing();
    this.following = true;
    this.phase = null;
    this.line = new Line({ stream: root.dataset.stream, poll: root.dataset.poll, tell: (event, data) => this.hear(event, data) });
  }

  async start() {
    this.board = await drawingOf(this.drawing);
    this.names = ownNames(this.seats, this.places);
    this.build();
    this.furnish();
    this.root.classList.add("is-live");
    this.tagLine = html("span", { class: "livetag", role: "status" });
    this.note = html("p", { class: "about", role: "status", hidden: true });
    (document.querySelector(".tp-head .facts") ?? this.caption).prepend(this.tagLine);
    this.caption.prepend(this.note);
    this.open();
    this.listen();
    this.followSet(true);
    this.lay();
    this.say();
    this.line.open();
  }

  /** The table before the deal and who will sit at it, and in words what the match waits for. */
  lay() {
    const frame = readGiven(this.root.dataset.bare), { waits } = this.root.dataset;
    if (!frame) return;
    const dealt = { ...frame.state, pending: null, to_act: null };
    this.stage.draw({ ...frame, state: this.board.bare?.(dealt) ?? dealt }, null, "The table before the deal").removeAttribute("data-ply");
    this.stage.box.classList.add("bare");
    this.cards.replaceChildren(...this.seatCards.map(({ box }) => box));
    this.words.replaceChildren(html("span", {}, `The match has not begun. ${waits}`));
  }

  show(frame, before) {
    this.stage.box.classList.remove("bare");
    return super.show(frame, before);
  }

  open() {
    this.reel = this.growing;
    this.shown = null;
  }

  transport() {
    const made = super.transport();
    this.followButton = html("button", { type: "button", class: "follow", "aria-pressed": "true" }, html("span", { class: "lamp", "aria-hidden": "true" }), html("span", {}));
    this.followButton.addEventListener("click", () => this.followSet(!this.following));
    made.querySelector(".keys").before(this.followButton);
    return made;
  }

  eyes() {
    return html("p", { class: "label", title: "Hands are revealed when every match with this deal has been played" }, "Public view");
  }

  /** Where the reader is: at the end and going along, or at a ply of their own choice. */
  followSet(following) {
    this.following = following && !this.isReplay;
    this.followButton.setAttribute("aria-pressed", String(this.following));
    this.sayFollowing();
    if (this.following && this.timer) this.pause();
    if (this.following) this.chase();
  }

  step(by) {
    if (!this.isReplay && by < 0) this.followSet(false);
    if (!this.isReplay && by > 0 && this.wanted + by >= this.plies) this.followSet(true);
    return super.step(by);
  }

  toggle() {
    if (!this.isReplay) this.followSet(false);
    return super.toggle();
  }

  slide(ply) {
    if (!this.isReplay) this.followSet(ply >= this.plies);
    if (!this.following) super.slide(ply);
  }

  // ---- what comes in ----
  hear(event, data) {
    if (event === "begin") this.begin();
    else if (event === "frames") this.takeIn(data);
    else if (event === "phase") this.enter(data.phase);
    this.say();
  }

  begin() {
    this.hasBegunAnew = this.growing.last > 0;
    this.growing = new Growing();
    this.open();
    this.plies = this.wanted = 0;
    this.clearMoves();
    this.followSet(true);
  }

  takeIn(frames) {
    const had = this.growing.last;
    if (!this.growing.add(frames)) return this.line.anew();
    this.plies = Math.max(0, this.growing.last);
    this.slider.max = this.plies;
    const fresh = this.growing.frames.slice(Math.max(1, had + 1));
    this.addRows(fresh);
    this.marks.replaceChildren(...this.growing.frames.filter(({ mark, entry }) => mark && entry).map((moment) => this.beat(moment)));
    if (this.following) this.chase();
    else this.mark(this.ply);
    return undefined;
  }

  /** Go to the end move by move, fast enough to be there within a moment; a long way is jumped. */
  async chase() {
    if (this.chasing) return;
    this.chasing = true;
    while (this.following && this.growing.last >= 0 && (this.wanted < this.plies || this.shown === null)) {
      const behind = this.plies - this.wanted;
      if (behind > 12 || isStill.matches || document.hidden || this.shown === null) await this.go(this.plies);
      else {
        await this.go(this.wanted + 1);
        await new Promise((done) => { setTimeout(done, Math.min(STEP_MS, CATCH_UP_MS / behind)); });
      }
    }
    this.chasing = false;
  }

  /** Nobody follows what has not begun, or is over. */
  sayFollowing() {
    const [now, back] = FOLLOWS[this.phase] ?? ["Following live", "Back to live"];
    this.followButton.lastChild.textContent = this.following ? now : back;
  }

  enter(phase) {
    this.phase = phase;
    this.sayFollowing();
    if (phase === "settled") this.becomeReplay();
    if (phase === "off" && this.shown === null) this.words.replaceChildren();
    if (phase === "settled" || phase === "off") this.line.end();
    if (OPEN_LATER.includes(phase) || phase === "off") this.root.dispatchEvent(new CustomEvent("over", { bubbles: true }));
  }

  /** Everything may be seen now: the same ply of the replay, with all views, without leaving the page. */
  async becomeReplay() {
    const [ply, following] = [this.ply, this.following];
    this.isReplay = true;
    this.following = false;
    const page = await this.pageAfterwards();
    if (!page) return;
    for (const name of Object.keys(this.root.dataset)) delete this.root.dataset[name];
    Object.assign(this.root.dataset, page.dataset);
    this.root.classList.remove("is-live");
    this.silence();
    const given = told(this.root);
    const next = new Viewer(this.root, { ...given, load: (eyes) => remoteFrames(this.root.dataset.frames, eyes === "all" ? null : eyes), times: null, pageSize: 60 });
    next.firstPly = following ? given.plies : ply;
    await next.start();
  }

  /** The viewer as the page has it now; a laptop that is closed meanwhile gets it when it is back. */
  async pageAfterwards() {
    for (;;) {
      const answer = await fetch(this.root.dataset.page, { headers: { Accept: "text/html" }, credentials: "same-origin" }).catch(() => null);
      if (answer && answer.status < 500) return new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-viewer]");
      await new Promise((done) => { setTimeout(done, POLL_MS); });
    }
  }

  /** How it stands, in a word and a sentence. */
  say() {
    const { lostAt } = this.line;
    const isAgain = this.phase === "waiting" && (this.growing.last > 0 || this.hasBegunAnew);
    const word = lostAt ? `Connection lost at ${lostAt.toLocaleTimeString()}` : SAID[this.phase] ?? "Connecting";
    const more = lostAt ? "Trying again; you will return to the ply you were at." : isAgain ? MORE.again : MORE[this.phase] ?? (this.hasBegunAnew ? "It was restarted: the worker that was playing it was lost." : "");
    if (this.note.textContent !== more) this.note.textContent = more;
    this.note.hidden = !more;
    if (this.tagLine.textContent === word) return;
    this.tagLine.dataset.phase = lostAt ? "lost" : this.phase ?? "waiting";
    this.tagLine.replaceChildren(html("span", { class: "lamp", "aria-hidden": "true" }), html("span", {}, word));
  }

  mark(ply) {
    super.mark(ply);
    this.counter.textContent = ply === this.plies ? `ply ${ply}` : `ply ${ply} of ${this.plies}`;
  }

  linkSoon() {}

  tag(state, seat) {
    return !state.outcome && state.to_act === seat && this.ply === this.plies ? "thinking" : super.tag(state, seat);
  }
}

/** A live match on a page about something else: board and sentence, always at the end. */
class LivePicture {
  constructor(root) {
    this.root = root;
    this.part = (name) => root.querySelector(`[data-${name}]`);
    this.growing = new Growing();
  }

  async start() {
    const { drawing, seats, places } = told(this.root);
    this.names = ownNames(seats, places);
    this.stage = new Stage(await drawingOf(drawing));
    this.stage.names = this.names;
    this.part("stage").replaceChildren(this.stage.box);
    this.line = new Line({ stream: this.root.dataset.stream, poll: this.root.dataset.poll, tell: (event, data) => this.hear(event, data) });
    this.line.open();
  }

  hear(event, data) {
    if (!this.root.isConnected) return this.line.end();
    if (event === "begin") this.growing = new Growing();
    else if (event === "frames" && !this.growing.add(data)) this.line.anew();
    else if (event === "phase" && ["over", "settled", "off"].includes(data.phase)) this.end();
    if (event === "frames") this.show();
    return undefined;
  }

  async show() {
    const { last } = this.growing;
    if (last < 0) return;
    const [frame, before] = [await this.growing.at(last), last ? await this.growing.at(last - 1) : null];
    const moving = last - (this.ply ?? last) === 1 && !isStill.matches;
    this.ply = last;
    sayMove(this.part("said"), frame, this.names);
    this.stage.draw(frame, before?.state ?? null, this.part("said").textContent, moving);
    sayHoldings(this.root, this.stage.drawing, frame.state);
    this.part("count").textContent = `ply ${last}`;
  }

  /** It is over; where that was so before anything could be shown, another is asked for at once. */
  end() {
    this.line.end();
    const isMissed = this.growing.last < 0;
    if (!isMissed) this.part("tag").textContent = "Over";
    this.root.dispatchEvent(new CustomEvent(isMissed ? "missed" : "over", { bubbles: true }));
  }
}

for (const root of document.querySelectorAll("[data-live]")) new LiveViewer(root, told(root)).start();
const showTables = () => eachNew("[data-live-picture]", (root) => new LivePicture(root).start());
showTables();
document.addEventListener("htmx:load", showTables);
