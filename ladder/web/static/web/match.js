// The chart of time marks the ply that the viewer shows; what a page needs only later comes once its board stands.
const chart = document.getElementById("tpt");
if (chart) {
  const now = document.createElementNS("http://www.w3.org/2000/svg", "line");
  now.setAttribute("class", "now");
  now.setAttribute("y1", "0");
  now.setAttribute("y2", "104");
  document.addEventListener("ply", ({ detail }) => {
    const x = `${(100 * Math.max(detail - 0.5, 0)) / Number(chart.dataset.plies)}%`;
    now.setAttribute("x1", x);
    now.setAttribute("x2", x);
    if (!now.isConnected) chart.append(now);
  });
}

const LATEST_MS = 3000; // where no board comes
const loaded = new Promise((done) => { document.readyState === "complete" ? done() : addEventListener("load", done, { once: true }); });
const stands = new Promise((done) => {
  if (document.querySelector(".board[data-ply]")) done();
  document.addEventListener("ply", done, { once: true });
  setTimeout(done, LATEST_MS);
});
const restful = () => new Promise((done) => { window.requestIdleCallback ? requestIdleCallback(done, { timeout: 1000 }) : setTimeout(done); });

Promise.all([loaded, stands]).then(restful).then(() => {
  for (const later of document.querySelectorAll("template[data-later]")) later.replaceWith(later.content);
});
