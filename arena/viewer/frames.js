// The positions of one match as one viewer may see them: fetched in pages, rebuilt from changes.

/** Apply the changes of a frame in place; docs/5-arena.md has the format. */
export function advance(state, changes) {
  for (const [kind, path, value] of changes) {
    const last = path.at(-1);
    const holder = path.slice(0, -1).reduce((at, step) => at[step], state);
    if (kind === "=") holder[last] = value;
    else if (kind === "-") delete holder[last];
    else holder[last].length = value;
  }
  return state;
}

/** Frames from an address of the site, `size` at a time. */
export function remoteFrames(address, seat) {
  return async (start, stop) => {
    const url = new URL(address, document.baseURI);
    url.searchParams.set("start", start);
    url.searchParams.set("stop", stop);
    if (seat !== null) url.searchParams.set("seat", seat);
    const answer = await fetch(url, { headers: { Accept: "application/json" }, credentials: "same-origin" });
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
  /** load(start, stop) gives frames of which the first is whole; total is the number of the last ply. */
  constructor(load, total, size) {
    Object.assign(this, { load, total, size });
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

  /** State and log entry at a ply, the state null where the match is only told; `built` keeps every twentieth of a page. */
  async at(ply) {
    const number = this.pageOf(ply);
    const frames = await this.page(number);
    const index = frames.findIndex((frame) => frame.ply === ply);
    if (index < 0) throw new Error(`There is no ply ${ply}.`);
    if (frames[index].told) return { ...frames[index], state: null };
    let from = index - (index % 20);
    while (from > 0 && !this.built.has(frames[from].ply)) from -= 20;
    let state = structuredClone(from > 0 ? this.built.get(frames[from].ply) : await this.whole(frames, 0));
    for (let i = Math.max(from, 0) + 1; i <= index; i++) {
      state = frames[i].state ? structuredClone(frames[i].state) : advance(state, structuredClone(frames[i].changes));
      if (i % 20 === 0) this.built.set(frames[i].ply, structuredClone(state));
    }
    return { ...frames[index], state };
  }

  async whole(frames, index) {
    if (!frames[index].state) throw new Error("The first frame of a page is not whole.");
    return frames[index].state;
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
