// The chart of time marks the ply that the viewer shows.
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
