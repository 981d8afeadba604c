// A fragment that stops updating says since when.
let since = null;

function tell() {
  since ??= new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  let note = document.getElementById("stale");
  if (!note) {
    note = document.createElement("p");
    note.id = "stale";
    note.className = "state error";
    note.setAttribute("role", "alert");
    document.getElementById("main").prepend(note);
  }
  note.textContent = `Not updated since ${since}: the server is not responding. This page may be out of date; it will update by itself.`;
}

document.addEventListener("htmx:sendError", tell);
document.addEventListener("htmx:responseError", tell);
document.addEventListener("htmx:afterOnLoad", () => {
  since = null;
  document.getElementById("stale")?.remove();
});

// A press ends on what it began on: what asks every few seconds is not replaced under a pointer that is down.
let pressed = null;
addEventListener("pointerdown", ({ target }) => { pressed = target; }, { capture: true });
for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => setTimeout(() => { pressed = null; }), { capture: true });

// Whoever walks by keyboard stays at the link that they had reached when its fragment comes anew.
const REACHED = "a[href], button, summary, [tabindex]";
const alike = (one) => `${one.tagName} ${one.getAttribute("href") ?? one.textContent}`;
let reached = null;

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.contains(pressed) && detail.requestConfig.elt.matches("[hx-trigger^='every']")) detail.shouldSwap = false;
  reached = detail.target.contains(document.activeElement) ? alike(document.activeElement) : null;
});
document.addEventListener("htmx:afterSwap", () => {
  if (reached && document.activeElement === document.body) [...document.querySelectorAll(REACHED)].find((one) => alike(one) === reached)?.focus({ preventScroll: true });
  reached = null;
});

// A table on show stays while somebody uses it.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.classList.contains("onshow") && event.target.contains(document.activeElement)) event.preventDefault();
});

// What is also being played leaves out the table that is shown; once that match is over, it is all that is played.
document.addEventListener("htmx:configRequest", (event) => {
  const { match, over } = document.getElementById("on-show")?.dataset ?? {};
  if (event.target.id !== "counters" || !match) return;
  event.detail.parameters.shown = match;
  if (over !== undefined) event.detail.parameters.over = "";
});
document.addEventListener("over", ({ target }) => {
  if (target.id !== "on-show") return;
  target.dataset.over = "";
  const heading = document.querySelector("#counters .also h2");
  if (heading) heading.textContent = "Being played now";
});
