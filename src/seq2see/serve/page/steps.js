// The decoder, one token at a time: what it looked at, what it might have written.

import { shown } from "./tokens.js";

function bars(rows) {
  const made = document.createElement("div");
  made.className = "bars";
  for (const { name, share } of rows) {
    const bar = document.createElement("div"), number = document.createElement("span");
    bar.className = "bar";
    bar.style.width = `${Math.max(0.5, 100 * share)}%`;
    number.textContent = `${(100 * share).toFixed(1)} %`;
    made.append(name, bar, number);
  }
  return made;
}

function text(token) {
  const made = document.createElement("span");
  made.dir = "auto";
  made.textContent = shown(token);
  return made;
}

function heading(words) {
  const made = document.createElement("h3");
  made.textContent = words;
  return made;
}

// What has been written so far, the token of this step marked.
function written(steps, number) {
  const made = document.createElement("p");
  made.className = "written";
  made.dir = "auto";
  steps.slice(0, number + 1).forEach((step, index) => {
    const part = text(step.token);
    part.className = index === number ? "now" : "";
    made.append(part, " ");
  });
  return made;
}

// Draw a step; choosing another token calls `choose` with the ids up to it.
export function drawStep(place, { steps, source, number, choose }) {
  const step = steps[number];
  const looked = step.weights.map((share, s) => ({ share, s })).sort((a, b) => b.share - a.share).slice(0, 5);
  const attention = document.createElement("div"), choice = document.createElement("div");
  attention.append(heading("α: where it looks"), bars(looked.map(({ share, s }) => ({ name: text(source[s]), share }))));
  const before = steps.slice(0, number).map((one) => one.id);
  choice.append(heading("What it might write"), bars(step.alternatives.map((one) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dir = "auto";
    button.textContent = shown(one.token);
    button.setAttribute("aria-current", String(one.id === step.id));
    button.setAttribute("aria-label", `go on with ${shown(one.token)}`);
    button.disabled = one.token === "";
    button.addEventListener("click", () => choose([...before, one.id]));
    return { name: button, share: one.prob };
  })));
  const columns = document.createElement("div");
  columns.className = "columns";
  columns.append(attention, choice);
  place.replaceChildren(written(steps, number), columns);
}
