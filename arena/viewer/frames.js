// The positions of one match as one viewer may see them: fetched in pages, rebuilt from changes.

const copyOf = (value) => (Array.isArray(value) ? [...value] : { ...value });

/** The state after the changes of a frame; docs/5-arena.md has the format. It shares with the one before all that did not change. */
export function advance(state, changes) {
  const next = { ...state }, fresh = new Set([next]);
  const own = (holder, step) => { // the member of a holder, copied at its first change
    if (!fresh.has(holder[step])) fresh.add((holder[step] = copyOf(holder[step])));
    return holder[step];
  };
  for (const [kind, path, value] of changes) {
    const last = path.at(-1), holder = path.slice(0, -1).reduce(own, next);
    if (kind === "=") holder[last] = value;
    else if (kind === "-") delete holder[last];
    else own(holder, last).length = value;
  }
  return next;
}

/** Browsers tell of a lost connection in words of their own, each in others. */
export const reach = (url, options) => fetch(url, options).catch(() => { throw new Error("The server can’t be reached."); });

/** Frames from an address of the site, `size` at a time. */
export function remoteFrames(address, seat) {
  return async (start, stop) => {
    const url = new URL(address, document.baseURI);
    url.searchParams.set("start", start);
    url.searchParams.set("stop", stop);
    if (seat !== null) url.searchParams.set("seat", seat);
    const answer = await reach(url, { headers: { Accept: "application/json" }, credentials: "same-origin" });
    const body = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Error(body.error?.message ?? `The server answered ${answer.status}.`);
    return body.frames;
  };
}

/** Frames that are already here, as the command line inlines them. */
export function givenFrames(frames) {
  return async () => frames;
}

export class Reel {
  /** load(start, stop) gives frames of which the first is whole; total is the number of the last ply; some may be at hand. */
  constructor(load, total, size, atHand = []) {
    Object.assign(this, { load, total, size, atHand });
    this.pages = new Map();
    this.built = new Map();
  }

  pageOf(ply) {
    return Math.floor(ply / this.size);
  }

  /** The frames of a page, fetched once; a failed fetch may be tried again. */
  page(number) {
    if (!this.pages.has(number)) {
      const start = number * this.size;
      const loading = this.load(start, start + this.size).then((frames) => frames.filter((f) => f.ply >= start && f.ply < start + this.size));
      loading.catch(() => this.pages.delete(number));
      this.pages.set(number, loading);
    }
    return this.pages.get(number);
  }

  /** State and log entry at a ply, the state null where the match is only told; states that were built are kept. */
  async at(ply) {
    const frames = this.isAtHand(ply) ? this.atHand : await this.page(this.pageOf(ply)), index = ply - (frames[0]?.ply ?? 0);
    if (frames[index]?.ply !== ply) throw new Error(`There is no ply ${ply}.`);
    if (frames[index].told) return { ...frames[index], state: null };
    return { ...frames[index], state: this.stateAt(frames, index) };
  }

  isAtHand(ply) {
    return ply >= this.atHand[0]?.ply && ply <= this.atHand.at(-1).ply;
  }

  stateAt(frames, index) {
    let from = index;
    while (from > 0 && !frames[from].state && !this.built.has(frames[from].ply)) from -= 1;
    let state = frames[from].state ?? this.built.get(frames[from].ply);
    if (!state) throw new Error("The first frame of a page is not whole.");
    for (let i = from + 1; i <= index; i++) this.built.set(frames[i].ply, (state = advance(state, frames[i].changes)));
    return state;
  }

  /** The frames page after page, as they come in. */
  async *moments() {
    for (let number = 0; number <= this.pageOf(this.total); number++) yield await this.page(number);
  }
}

/** `1 a6-a7 8x3` → seat 1, text `a6-a7 8x3`. */
export function readEntry(entry) {
  if (!entry) return null;
  const space = entry.indexOf(" ");
  return { seat: Number(entry.slice(0, space)), text: entry.slice(space + 1) };
}
