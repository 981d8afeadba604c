// A game that a person plays: what may be chosen stands on the board and, if the board does not show it, in a tray below; all of it also as a list.
import { advance, reach, readEntry } from "./frames.js";
import { html, plain, seatIcon, svg } from "./pieces.js";
import { Stage, boxesOf, isPhone, isStill } from "./stage.js";
import { legendOf, placeOf } from "./telling.js";

const SOON_MS = 150, POLL_MS = 1000, SLOWER = 1.5; // asked soon after something happened, then less and less often
const ROOM_PX = 8; // around what the tray lay over
const LEAST_PX = 26; // of what a thumb can hit
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

class Sitting {
  constructor(root) {
    this.root = root;
    this.token = document.querySelector("[data-token] input").value;
    this.ply = -1;
    this.state = null;
    this.told = { status: "", note: "", legal: [], chairs: [] };
    this.picked = [];
    this.asked = null;
    this.pace = SOON_MS;
    this.byKeys = true;
  }

  async start() {
    this.board = await import(`./${this.root.dataset.drawing}.js`);
    this.stage = new Stage(this.board, { role: "region", "aria-label": "Board; arrows walk what you may choose, Enter chooses, Escape goes back" });
    this.words = html("p", { class: "last-words", tabindex: "0", "aria-live": "polite" });
    this.answers = html("div", { class: "answers" });
    this.tray = html("div", { class: "tray", role: "group", "aria-label": "What the board does not show" });
    this.list = html("ul", { class: "choices" });
    this.note = html("p", { class: "state", role: "status", hidden: true });
    this.cards = html("div", { class: "seatcards" });
    this.moves = html("ol");
    this.heading = html("summary", {}, "");
    this.all = html("details", { class: "all" }, this.heading, this.list);
    const rail = html("aside", { class: "rail", tabindex: "0", "aria-label": "Seats, choices and moves" }, this.note, this.cards, legendOf(this.board), this.all,
      html("h2", {}, "Moves"), html("div", { class: "movelist", tabindex: "0", role: "region", "aria-label": "Moves" }, this.moves));
    this.root.replaceChildren(this.stage.box, html("div", { class: this.board.piece && !this.board.settingUp ? "caption ask has-tray" : "caption ask" }, this.words, this.answers, this.tray), rail);
    document.addEventListener("keydown", (event) => this.press(event));
    document.addEventListener("pointerdown", () => { this.byKeys = false; }, { capture: true });
    new ResizeObserver(() => this.offerAgain()).observe(this.stage.box);
    await this.poll();
  }

  // ---- what the others do ----
  async poll() {
    try {
      const url = new URL(this.root.dataset.state, document.baseURI);
      for (const [name, value] of Object.entries({ since: this.ply, status: this.hasFailed ? "" : this.told.status, note: this.told.note, out: this.out(this.told).length })) url.searchParams.set(name, value);
      const told = await this.ask(url, {});
      this.pace = told.same ? Math.min(this.pace * SLOWER, POLL_MS) : SOON_MS;
      if (told.same) this.noteQueue(told.is_queued);
      else this.take(told);
      if (this.hasFailed && this.frame) this.sayAgain();
      this.hasFailed = false;
    } catch (error) {
      this.fail(error);
    }
    this.pollIn(this.pace);
  }

  /** What could not be asked or shown is asked for again as if nothing of this ply were known. */
  fail(error) {
    this.hasFailed = true;
    this.pace = POLL_MS;
    this.say(`${error.message} Trying again.`);
  }

  pollIn(ms) {
    clearTimeout(this.polling);
    if (!["finished", "abandoned"].includes(this.told.status)) this.polling = setTimeout(() => this.poll(), ms);
  }

  async ask(url, options) {
    const answer = await reach(url, { ...options, headers: { Accept: "application/json", "X-CSRFToken": this.token }, credentials: "same-origin" });
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(body.error?.message ?? `The server answered ${answer.status}.`);
    return body;
  }

  take(told) {
    if (told.ply < this.ply || this.isKnown(told)) return;
    this.told = told;
    this.isQueued = false;
    this.names = told.chairs.map((chair) => plain(chair.name));
    this.note.textContent = [told.note, ...(told.ending ? [] : this.out(told)).filter((chair) => !chair.is_you).map((chair) => this.outOf(chair))].filter(Boolean).join(" ");
    this.note.hidden = !this.note.textContent;
    let last = null;
    for (const frame of told.frames) {
      const before = this.state;
      const state = frame.state ?? advance(this.state, frame.changes);
      last = [{ ...frame, state }, last ? before : null];
      if (frame.ply > this.ply && frame.said) this.moves.prepend(this.row(frame));
      this.state = state;
    }
    if (told.ply !== this.ply) this.turnOver();
    this.ply = told.ply;
    if (last) this.show(...last);
    this.markNews();
    if (this.isPlacing) this.placeNext();
  }

  /** What the others did since the person's own last action stands out in the list. */
  markNews() {
    const rows = [...this.moves.children], own = rows.findIndex((row) => Number(row.dataset.seat) === this.told.seat);
    rows.forEach((row, i) => row.classList.toggle("news", own < 0 || i < own));
  }

  /** Bots may have to wait until a core is free: whoever waits for them is told so. */
  noteQueue(isQueued) {
    if (isQueued === this.isQueued || !this.frame) return;
    this.isQueued = isQueued;
    this.sayAgain();
  }

  /** Whoever does not want to place every piece has the rest placed at random, one after the other as they would do it. */
  placeNext() {
    const { legal } = this.told;
    this.isPlacing = Boolean(this.board.settingUp?.(this.state)) && !this.told.ending;
    if (!this.isPlacing || !legal.length || this.isSending) return;
    this.asked = legal[Math.floor(Math.random() * legal.length)];
    this.confirm();
  }

  /** Another ply: nothing is picked, and the tray may be as low as it was. */
  turnOver() {
    this.picked = [];
    this.asked = null;
    this.tray.style.minHeight = "";
  }

  /** Told before: an answer to a choice and one to a question may tell of the same ply, and nothing picked since is lost. */
  isKnown(told) {
    return !this.hasFailed && told.ply === this.ply && told.status === this.told.status && told.note === this.told.note && this.out(told).length === this.out(this.told).length;
  }

  /** Who resigned or failed. */
  out(told) {
    return told.chairs.filter((chair) => chair.fault);
  }

  outOf({ seat, fault }) {
    const why = fault === "resigned" ? "resigned" : `failed (${fault.replaceAll("_", " ")})`;
    return `${this.names[seat]} ${why}; the first action allowed is taken for that seat from now on.`;
  }

  named(sentence) {
    return (sentence ?? "").replace(/\{(\d+)\}/g, (_, seat) => this.names[Number(seat)] ?? `Seat ${seat}`);
  }

  row({ ply, entry, said }) {
    const { seat } = readEntry(entry);
    return html("li", { "data-seat": seat }, html("span", { class: "n" }, String(ply)), seatIcon(seat), html("span", { class: "user-text" }, this.named(said)));
  }

  show(frame, before) {
    this.frame = frame;
    this.stage.names = this.names;
    const said = frame.said ? this.named(frame.said) : "The game begins.";
    this.stage.draw(frame, before, `After ply ${frame.ply}: ${said}`, !isStill.matches && this.stage.shown !== null);
    this.cards.replaceChildren(...this.told.chairs.map((chair) => this.card(chair)));
    this.prompt();
    this.uncover();
  }

  /** On a phone the tray may lie over what is asked about, as the first row to place pieces on: the page goes up until that is seen. */
  uncover() {
    const asked = isPhone.matches && this.isMine() ? [...this.stage.board.querySelectorAll(".target, .last-to")].map((one) => one.getBoundingClientRect()) : [];
    const hidden = Math.max(0, ...asked.map(({ bottom }) => bottom)) - this.words.parentNode.getBoundingClientRect().top;
    if (hidden > 0) scrollBy(0, Math.min(hidden + ROOM_PX, Math.min(...asked.map(({ top }) => top)) - ROOM_PX));
  }

  card(chair) {
    const turn = this.told.to_act === chair.seat;
    const tag = chair.fault ? chair.fault.replaceAll("_", " ") : turn ? (chair.is_you ? "your turn" : chair.is_bot ? "thinks" : "to act") : null;
    const facts = this.board.facts(this.state, chair.seat).map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, String(value))));
    const card = html("section", { class: turn ? "seatcard turn" : "seatcard", "aria-label": this.names[chair.seat] },
      html("header", {}, seatIcon(chair.seat), html("span", { class: "who" }, this.names[chair.seat]), html("span", { class: "label" }, [chair.is_you ? "you" : null, placeOf(chair.place, this.names[chair.seat])].filter(Boolean).join(", ")), tag ? html("span", { class: "turntag" }, tag) : null), html("dl", {}, facts));
    const held = this.board.holdings?.(this.state, chair.seat);
    if (held) card.lastChild.insertAdjacentHTML("beforebegin", held.join(""));
    return card;
  }

  // ---- what may be chosen ----
  /** The steps of a choice, each a key that the board or the tray shows; a choice of one step is its own key. */
  parts(choice) {
    const found = this.board.parts?.(choice.text, this.state) ?? [];
    return found.length ? found : [choice.text];
  }

  open() {
    return this.told.legal.filter((choice) => this.picked.every((key, i) => this.parts(choice)[i] === key));
  }

  /** The next step of every choice that is still open: key → choices. */
  steps() {
    return Map.groupBy(this.asked ? [] : this.open(), (choice) => this.parts(choice)[this.picked.length]);
  }

  prompt() {
    const { legal } = this.told;
    this.sayAgain();
    this.all.hidden = !legal.length;
    this.heading.textContent = ["", "The choice in words", "Both choices as a list"][this.open().length] ?? `All ${this.open().length} choices as a list`;
    this.list.replaceChildren(...this.open().map((choice) => this.line(choice)));
    this.answers.replaceChildren(...this.buttons(legal.length));
    this.offer();
  }

  /** What counts first, in bold letters: of a long text the end may be off the screen. */
  say(words, more = "") {
    const spoken = [words, more].filter(Boolean).join(" ");
    if (this.words.textContent !== spoken) this.words.replaceChildren(html("span", {}, words, more ? [" ", html("span", { class: "next" }, more)] : null));
  }

  /** What happened and what is asked, wherever no hint is being read. */
  sayAgain() {
    const { ending } = this.told;
    if (ending) return this.say(ending);
    if (this.asked) return this.say(this.named(this.asked.offer));
    const said = this.frame.said ? this.named(this.frame.said) : "", next = this.next();
    if (this.told.chairs.some((chair) => chair.is_you && chair.fault)) return this.say("You resigned; the others play on.", said);
    if (this.isQueued) return this.say(next, "The bots wait for a free core; the game goes on by itself.");
    return this.isMine() || !said ? this.say(next, said) : this.say(said, next);
  }

  isMine() {
    return this.told.chairs.some((chair) => chair.is_you && chair.seat === this.told.to_act);
  }

  /** What is to come; whoever is to act is told so as one speaks to somebody. */
  next() {
    const { next } = this.frame;
    return this.named(this.isMine() ? (next ?? "").replace(/^\{\d+\} has to (.)/, (_, first) => first.toUpperCase()) : next);
  }

  line(choice) {
    const button = html("button", { type: "button", "aria-pressed": String(this.asked === choice) }, this.named(choice.offer));
    button.addEventListener("click", () => this.choose(choice));
    return html("li", {}, button);
  }

  buttons(count) {
    if (this.told.ending) return this.afterwards();
    if (!count) return [];
    const back = html("button", { type: "button", "data-back": true }, "Choose again");
    back.addEventListener("click", () => this.back());
    if (!this.asked && this.board.settingUp?.(this.state)) return [this.restButton()];
    if (!this.asked) return this.picked.length ? [this.trail(), back] : [html("span", { class: "small muted" }, `${count} choice${count === 1 ? "" : "s"}. Arrow keys move, Enter chooses.`)];
    const confirm = html("button", { type: "button", class: "primary", "data-confirm": true }, "Confirm");
    confirm.addEventListener("click", () => this.confirm());
    return [confirm, back, html("span", { class: "small muted" }, "Enter confirms, Esc goes back.")];
  }

  /** What somebody may want when the game is over. */
  afterwards() {
    const replay = html("button", { type: "button", "data-replay": true }, "Watch the replay");
    replay.addEventListener("click", () => location.reload()); // the page of a game that is over is its replay
    return [html("a", { class: "button primary", href: document.querySelector(".again").href }, "Play again"), replay];
  }

  restButton() {
    const rest = html("button", { type: "button", "data-rest": true }, "Place the rest for me");
    rest.addEventListener("click", () => { this.isPlacing = true; this.placeNext(); });
    return rest;
  }

  /** What has been picked so far of a choice in several steps. */
  trail() {
    return html("span", { class: "trail" }, this.picked.map((key) => this.piece(key).label).join(" › "));
  }

  /** How a key looks in the tray and what it is called there: as the board module says, or in the choice's own words. */
  piece(key) {
    return this.board.piece?.(key, this.state, this.names) ?? { label: this.named(this.told.legal.find((choice) => this.parts(choice).includes(key))?.offer ?? key) };
  }

  /** Put every next step where it stands: on the board, else into the tray; what is too small there for a thumb is in both. */
  offer() {
    const drawn = this.stage.board, steps = this.steps(), isDrawn = drawn instanceof SVGSVGElement && Boolean(this.frame);
    const spots = isDrawn ? this.spots(drawn, [...steps.keys(), ...this.picked]) : {};
    if (isDrawn) this.mark(drawn, steps, spots);
    const inTray = [...steps].filter(([key]) => !(key in spots) || this.isTiny(drawn, spots[key]));
    this.fillTray(this.asked ? [] : inTray);
    this.tray.classList.toggle("empty", !this.tray.textContent);
    this.keepTray();
  }

  fillTray(steps) {
    const picked = this.asked && this.piece(this.picked.at(-1)), closeUp = picked?.drawn || picked?.note ? [this.closeUp(picked)] : [];
    this.tray.replaceChildren(...closeUp, ...steps.map(([key, choices]) => this.trayCard(key, choices)));
  }

  /** Within a turn the tray never gets lower: the board would move under the pointer, to and fro. */
  keepTray() {
    const { height } = this.tray.getBoundingClientRect();
    if (height > (parseFloat(this.tray.style.minHeight) || 0)) this.tray.style.minHeight = `${height}px`;
  }

  /** The board has another size: hit areas go along as they are, so that no click on one is lost, and a tray that lacks something gets it. */
  offerAgain() {
    const drawn = this.stage.board;
    if (!this.frame || !(drawn instanceof SVGSVGElement)) return;
    if (!drawn.querySelector(".targets")) return this.offerAnew();
    const steps = this.steps(), spots = this.spots(drawn, [...steps.keys(), ...this.picked]);
    for (const made of drawn.querySelectorAll("[data-target]")) if (spots[made.dataset.target]) this.place(made, spots[made.dataset.target]);
    const inTray = [...steps].filter(([key]) => !(key in spots) || this.isTiny(drawn, spots[key]));
    if (!this.asked && inTray.some(([key]) => !this.tray.querySelector(`[data-target="${CSS.escape(key)}"]`))) this.offerAnew();
  }

  /** Everything once more on a board that was drawn anew; what had the focus keeps it. */
  offerAnew() {
    const held = document.activeElement?.dataset.target;
    this.offer();
    if (held) this.choosables().find((made) => made.dataset.target === held)?.focus();
  }

  isTiny(drawn, boxes) {
    const scale = drawn.getScreenCTM().a;
    return Boolean(this.board.piece) && boxes.every(([, , w, h]) => Math.min(w, h) * scale < LEAST_PX);
  }

  /** What was picked, to look at before it is confirmed. */
  closeUp({ label, drawn, note }) {
    const shown = html("figure", { class: "closeup" }, html("figcaption", {}, label, note ? html("small", {}, note) : null));
    if (drawn) shown.insertAdjacentHTML("afterbegin", drawn);
    return shown;
  }

  /** Where keys stand on the board, as boxes; a selector of what is drawn there is measured. */
  spots(drawn, keys) {
    const known = this.board.spots?.(this.state, this.stage.layout()) ?? {};
    const found = keys.filter((key) => key in known).map((key) => [key, typeof known[key] === "string" ? boxesOf(drawn, known[key]) : known[key]]);
    return Object.fromEntries(found.filter(([, boxes]) => boxes.length));
  }

  /** Hit areas over the board. */
  mark(drawn, steps, spots) {
    drawn.querySelector(".targets")?.remove();
    const here = [...steps].filter(([key]) => key in spots);
    drawn.append(svg("g", { class: "targets" }, this.picked.filter((key) => key in spots).map((key) => this.box(key, spots[key], "target chosen")), here.map(([key, choices]) => this.target(key, spots[key], choices))));
    drawn.setAttribute("role", here.length ? "group" : "img");
  }

  box(key, places, cls) {
    return this.place(svg("g", { class: cls, "data-target": key }, places.map(() => svg("rect"))), places);
  }

  place(made, places) {
    made.querySelectorAll("rect").forEach((rect, i) => {
      const [x, y, w, h] = places[i] ?? [0, 0, 0, 0];
      for (const [name, value] of Object.entries({ x: x - w / 2, y: y - h / 2, width: w, height: h })) rect.setAttribute(name, value);
    });
    return made;
  }

  hint(key, choices) {
    return choices.length === 1 ? this.named(choices[0].offer) : `${this.piece(key).label}: ${choices.length} choices`;
  }

  target(key, places, choices) {
    const hint = this.hint(key, choices), made = this.box(key, places, "target");
    for (const [name, value] of Object.entries({ tabindex: "0", role: "button", "aria-label": hint })) made.setAttribute(name, value);
    made.append(svg("title", {}, hint));
    return this.choosable(made, key, hint);
  }

  trayCard(key, choices) {
    const hint = this.hint(key, choices), { label, drawn } = this.piece(key);
    const made = html("button", { type: "button", class: drawn ? "traycard" : "traycard plain", "data-target": key, "aria-label": hint, title: hint }, html("span", { class: "traylabel" }, label));
    if (drawn) made.insertAdjacentHTML("afterbegin", drawn);
    return this.choosable(made, key, hint);
  }

  choosable(made, key, hint) {
    made.addEventListener("click", () => this.pick(key));
    for (const event of ["focus", "pointerenter"]) made.addEventListener(event, () => this.say(hint));
    for (const event of ["blur", "pointerleave"]) made.addEventListener(event, () => this.sayAgain());
    return made;
  }

  pick(key) {
    this.picked.push(key);
    const left = this.open();
    if (left.length === 1) return this.choose(left[0]);
    this.prompt();
    return this.focusFirst();
  }

  /** Whoever uses keys goes on from the first of what is left; a pointer is where it is. */
  focusFirst() {
    if (this.byKeys) this.choosables()[0]?.focus();
  }

  choose(choice) {
    this.asked = choice;
    this.picked = this.parts(choice);
    this.prompt();
    this.answers.querySelector("[data-confirm]").focus();
  }

  /** One step back, and over steps that leave no choice. */
  back() {
    this.picked = this.asked ? this.parts(this.asked) : this.picked;
    this.asked = null;
    do this.picked = this.picked.slice(0, -1);
    while (this.picked.length && this.open().length === 1);
    this.prompt();
    this.focusFirst();
  }

  choosables() {
    return [...this.root.querySelectorAll(".target:not(.chosen), .traycard")];
  }

  async confirm() {
    const body = new URLSearchParams({ ply: this.ply, action: this.asked.text });
    this.answers.replaceChildren(html("span", { role: "status" }, "Sent."));
    this.isSending = true;
    try {
      const told = await this.ask(this.root.dataset.choose, { method: "POST", body });
      this.isSending = false;
      this.take(told);
      this.pollIn(this.pace = SOON_MS);
    } catch (error) {
      this.isSending = this.isPlacing = false;
      this.asked = null;
      this.picked = [];
      this.prompt();
      this.say(error.message);
    }
  }

  // ---- keys ----
  press(event) {
    this.byKeys = true;
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
    if (event.key === "Escape" && (this.asked || this.picked.length)) return this.back();
    if (event.key === "Enter" && event.target.matches?.(".target:not(.chosen)")) {
      event.preventDefault(); // or the same key would press what gets the focus next
      return this.pick(event.target.dataset.target);
    }
    if (ARROWS[event.key] && !event.target.closest(".movelist")) this.walk(ARROWS[event.key], event);
    return undefined;
  }

  /** To the nearest choice in a direction; from anywhere else to the first. */
  walk([dx, dy], event) {
    const among = this.list.contains(event.target) ? [...this.list.querySelectorAll("button")] : this.choosables();
    if (!among.length) return;
    event.preventDefault();
    const at = among.indexOf(document.activeElement);
    if (at < 0) return among[0].focus();
    const middle = (element) => { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; };
    const [x, y] = middle(among[at]);
    const ahead = among.map((element) => { const [p, q] = middle(element); return { element, along: (p - x) * dx + (q - y) * dy, aside: Math.abs((p - x) * dy) + Math.abs((q - y) * dx) }; })
      .filter(({ along }) => along > 1).sort((a, b) => a.along + 2 * a.aside - b.along - 2 * b.aside);
    (ahead[0]?.element ?? among[at]).focus();
    return undefined;
  }
}

/** Before a game: the page is loaded again whenever a friend sits down. */
async function waitForFriends(root) {
  const told = await reach(root.dataset.state, { headers: { Accept: "application/json" }, credentials: "same-origin" }).then((answer) => answer.json()).catch(() => ({}));
  if (told.chairs && told.chairs.filter((chair) => !chair.is_taken).length !== Number(root.dataset.waiting)) return location.reload();
  if (told.status === "abandoned") return location.reload();
  return setTimeout(() => waitForFriends(root), POLL_MS);
}

for (const root of document.querySelectorAll("[data-sitting]")) new Sitting(root).start();
for (const root of document.querySelectorAll("[data-waiting]")) waitForFriends(root);
