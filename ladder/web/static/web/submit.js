// Upload by drag or picker, with progress; without this script the form works as any other.
const form = document.getElementById("submit");
const drop = document.getElementById("drop");
const input = form.elements.file;
const picked = document.getElementById("picked");
const state = document.getElementById("upload-state");
const fresh = document.getElementById("new-bot");

function showNew() {
  fresh.hidden = form.elements.bot.value !== "new";
}

function showPicked() {
  const file = input.files[0];
  picked.textContent = file ? `${file.name}, ${(file.size / 1024).toFixed(0)} KiB` : "";
}

function stateBox(isError, title, ...lines) {
  const box = document.createElement("div");
  box.className = isError ? "state error" : "state";
  if (isError) box.setAttribute("role", "alert");
  const head = document.createElement("h2");
  head.textContent = title;
  box.append(head, ...lines.map((text) => Object.assign(document.createElement("p"), { textContent: text })));
  state.replaceChildren(box);
  return box;
}

function refuse(answer) {
  const errors = Object.values(answer?.errors ?? {}).flat();
  const told = answer?.error?.message ? [answer.error.message] : errors;
  stateBox(true, "Upload refused", ...(told.length ? told : ["The server did not accept the file."]), "Nothing was changed.");
  form.querySelector(".primary").disabled = false;
}

function send(event) {
  event.preventDefault();
  const request = new XMLHttpRequest();
  const bar = Object.assign(document.createElement("progress"), { max: 1, value: 0 });
  bar.setAttribute("aria-label", "Upload");
  stateBox(false, "Uploading").append(bar);
  request.upload.addEventListener("progress", ({ loaded, total }) => { bar.value = total ? loaded / total : 0; });
  request.addEventListener("load", () => {
    if (request.status === 200 && request.response?.url) location.assign(request.response.url);
    else if (request.status === 413) refuse({ error: { message: "The file is larger than this site accepts." } });
    else refuse(request.response);
  });
  request.addEventListener("error", () => refuse({ error: { message: "The connection was lost before the upload finished. Try again." } }));
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "application/json");
  request.responseType = "json";
  request.send(new FormData(form));
  form.querySelector(".primary").disabled = true;
}

for (const name of ["dragover", "dragenter"]) drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("over"));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files.length) input.files = event.dataTransfer.files;
  showPicked();
});
input.addEventListener("change", showPicked);
form.elements.bot.addEventListener("change", showNew);
form.addEventListener("submit", send);
showNew();
