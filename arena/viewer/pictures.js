// Matches and positions on pages about something else: one that plays by itself, and pieces of a board as pictures.
import { Reel, advance, remoteFrames } from "./frames.js";
import { icon } from "./pieces.js";
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

/** What `data-holds` says that a seat holds, or what `data-around` names of the board, or the drawing's own view of it. */
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

/** The part of a board that shows all of these with a margin, in the shape of the box that it is shown in. */
function boxAround(board, names, { clientWidth, clientHeight }) {
  const boxes = boxesOf(board, names), margin = 24, shape = clientWidth / clientHeight;
  const ends = (at, size) => [Math.min(...boxes.map((box) => box[at] - box[size] / 2)) - margin, Math.max(...boxes.map((box) => box[at] + box[size] / 2)) + margin];
  const [[left, right], [top, bottom]] = [ends(0, 2), ends(1, 3)], [wide, high] = [right - left, bottom - top];
  const width = Math.max(wide, high * shape, LEAST_WIDTH), height = width / shape;
  return [left - (width - wide) / 2, top - (height - high) / 2, width, height].map(Math.round);
}
