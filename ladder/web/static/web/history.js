// A bot's history: a line with its band, and an upright line where a version, a season or new rules began.
for (const box of document.querySelectorAll(".history")) {
  const WHOLE = [1, 2, 5].flatMap((step) => [1, 10, 100, 1e3, 1e4, 1e5].map((ten) => step * ten)).sort((a, b) => a - b);
  const data = JSON.parse(document.getElementById(`${box.id}-data`).textContent);
  const paint = getComputedStyle(box);
  const height = box.clientHeight || 286; // as the page has kept free, so that nothing moves
  // A canvas needs real colours: a probe element resolves the variables for the theme of the page.
  const probe = document.createElement("i");
  box.append(probe);
  const colour = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };

  function marks(u) {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.strokeStyle = colour("brass-line");
    ctx.fillStyle = colour("ink-2");
    ctx.font = `${12 * devicePixelRatio}px ${paint.fontFamily}`;
    ctx.lineWidth = devicePixelRatio;
    ctx.textAlign = "left"; // the axis has left it at the right, and a label would stand on its numbers
    ctx.textBaseline = "alphabetic";
    for (const { at, label } of data.marks) {
      const x = u.valToPos(data.number[at], "x", true);
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.fillText(label, x + 4 * devicePixelRatio, bbox.top + 12 * devicePixelRatio);
    }
    ctx.restore();
  }

  function draw() {
    const font = `12px ${paint.fontFamily}`;
    const axis = { stroke: colour("ink-2"), grid: { stroke: colour("line"), width: 1 }, ticks: { show: false }, font, labelFont: font, labelSize: 20, labelGap: 0 };
    const edge = { stroke: "transparent", points: { show: false } };
    const plot = new uPlot({
      width: box.clientWidth, height, cursor: { y: false }, hooks: { draw: [marks] },
      scales: { x: { time: false } },
      axes: [{ ...axis, incrs: WHOLE, size: 28, label: data.label }, { ...axis, size: 40, label: data.what }],
      series: [
        { label: data.label }, { ...edge, label: "Low" }, { ...edge, label: "High" },
        { label: data.what, stroke: colour("ink"), width: 1.5, points: { fill: colour("surface") } },
      ],
      bands: [{ series: [2, 1], fill: colour("storey") }],
    }, [data.number, data.low, data.high, data.value], box);
    return plot;
  }

  let plot = draw();
  const again = () => { plot.destroy(); plot = draw(); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height })).observe(box);
}
