// Matches and positions on pages about something else: one that plays by itself, and pieces of a board as pictures.
import { Reel, advance, remoteFrames } from "./frames.js";
import { icon, svg } from "./pieces.js";
import { Stage, boxesOf, drawingOf, isStill } from "./stage.js";
import { eachNew, named, ownNames, readGiven, sayHoldings, sayMove, SeatCard, standing, told } from "./telling.js";

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

/** What `data-holds` says that a seat holds, or what `data-around` names of the board, or the drawing's own view of it; with `data-whole` all of it. */
async function scene(root, frame) {
  const drawing = await drawingOf(root.dataset.drawing), { holds, around, name, label } = root.dataset;
  if (holds) {
    const card = new SeatCard(Number(holds), name, "").show(drawing, frame.state, standing(frame.state, Number(holds)));
    card.removeAttribute("aria-label"); // a picture among others, no landmark
    root.replaceChildren(card);
    return card.querySelectorAll("svg.drawn").forEach(readable);
  }
  const stage = new Stage(drawing);
  stage.layout = () => "wide";
  root.replaceChildren(stage.box);
  const board = stage.draw(frame, frame.before ?? null, label ?? "");
  if (!("whole" in root.dataset)) board.setAttribute("viewBox", (around ? view(board, around, stage.box, "cutOut" in root.dataset) : own(board, drawing.scene, stage.box)).map(Math.round).join(" "));
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
    if (text.getComputedTextLength() > text.dataset.room) squeeze(text);
  }
}

/** Letters that grew beyond the room their drawing has for them become narrower. */
function squeeze(text) {
  text.setAttribute("textLength", text.dataset.room);
  text.setAttribute("lengthAdjust", "spacingAndGlyphs");
}

/** What a drawing shows of itself: a piece of its board, or a picture of its own. */
function own(board, scene, box) {
  if (!scene.drawn) return closer(scene, box);
  board.innerHTML = scene.drawn;
  return scene.box;
}

const LEAST_SCALE = .7; // of the wide layout: below, most letters would be left out

/** The drawing's own view, or its middle where all of it would be too small to be read. */
function closer([x, y, wide, high], { clientWidth }) {
  const share = Math.min(1, clientWidth / (wide * LEAST_SCALE));
  return [x + (wide * (1 - share)) / 2, y + (high * (1 - share)) / 2, wide * share, high * share];
}

const LEAST_WIDTH = 300; // of a picture, in the board's own units: things don't grow beyond all measure
const MARGIN = 24, CUT_MARGIN = 2;

/** What a picture shows of a board: all of these, in the shape of its box; cut out in its middle, or with as much of the board around as there is. */
function view(board, names, { clientWidth, clientHeight }, isCutOut) {
  const [x, y, wide, high] = boxAround(boxesOf(board, names), isCutOut ? CUT_MARGIN : MARGIN), shape = clientWidth / clientHeight;
  const room = isCutOut ? 2 * MARGIN : 0, width = Math.max(wide + room, (high + room) * shape, LEAST_WIDTH), height = width / shape;
  const at = [x - (width - wide) / 2, y - (height - high) / 2];
  if (isCutOut) {
    cutOut(board, { x, y, width: wide, height: high });
    return [...at, width, height];
  }
  const { width: widest, height: highest } = board.viewBox.baseVal;
  return [within(at[0], width, widest), within(at[1], height, highest), width, height];
}

/** The box around some others, with a margin. */
function boxAround(boxes, margin) {
  const ends = (at, size) => [Math.min(...boxes.map((box) => box[at] - box[size] / 2)) - margin, Math.max(...boxes.map((box) => box[at] + box[size] / 2)) + margin];
  const [[left, right], [top, bottom]] = [ends(0, 2), ends(1, 3)];
  return [left, top, right - left, bottom - top];
}

/** Where a stretch begins so that it stays on the board, or leaves the same on both sides. */
const within = (from, size, whole) => (size > whole ? (whole - size) / 2 : Math.min(Math.max(from, 0), whole - size));

let cuts = 0;

/** Of a board only this much is drawn. */
function cutOut(board, box) {
  const id = `cut-${(cuts += 1)}`;
  board.prepend(svg("clipPath", { id }, svg("rect", box)));
  board.querySelectorAll(":scope > g").forEach((layer) => layer.setAttribute("clip-path", `url(#${id})`));
}
