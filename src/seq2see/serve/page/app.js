// The page: what is typed is translated when the typing pauses.

import { models, Refused, setToken, translate } from "./api.js";
import { saveJson, savePng, saveSvg } from "./download.js";
import { drawHeatmap } from "./heatmap.js";
import { drawLines } from "./lines.js";
import { drawStep } from "./steps.js";

const PAUSE = 300; // ms
const ALTERNATIVES = 6;
const VIEWS = { lines: drawLines, heatmap: drawHeatmap };
const at = (id) => document.getElementById(id);
const state = { models: [], view: "lines", answer: null, shown: 0, step: 0, prefixIds: [], asking: null };

function say(words) {
  at("status").textContent = words;
}

function currentModel() {
  return state.models.find((one) => one.name === at("model").value);
}

function showExamples() {
  const examples = currentModel()?.examples ?? [];
  at("examples-row").hidden = examples.length === 0;
  at("examples").replaceChildren(...examples.map((example) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dir = "auto";
    button.textContent = example.replaceAll("\t", " · ");
    button.addEventListener("click", () => {
      at("source").value = example;
      begin();
    });
    return button;
  }));
}

function request() {
  const body = {
    text: at("source").value, model: at("model").value || null, alignments: true, alternatives: ALTERNATIVES,
    beam: Number(at("beam").value) || 1, n_best: Number(at("n-best").value) || 1,
  };
  body.n_best = Math.min(body.n_best, body.beam);
  if (state.prefixIds.length) body.prefix_ids = state.prefixIds;
  return body;
}

async function ask() {
  state.asking?.abort();
  if (!at("source").value.trim()) {
    at("result").hidden = true;
    say("");
    return;
  }
  const asking = new AbortController();
  state.asking = asking;
  say("translating …");
  const start = performance.now();
  try {
    const answer = await translate(request(), asking.signal);
    if (state.asking !== asking) return;
    state.answer = answer.translations[0];
    state.shown = 0;
    const steps = state.answer.outputs[0]?.steps ?? [];
    state.step = Math.min(state.prefixIds.length ? state.prefixIds.length - 1 : 0, Math.max(0, steps.length - 1));
    const seconds = ((performance.now() - start) / 1000).toFixed(2);
    say(state.answer.problem || `translated in ${seconds} s`);
    show();
  } catch (error) {
    if (error.name === "AbortError") return;
    at("result").hidden = true;
    say(error.message);
    if (error instanceof Refused && error.status === 401) at("token-label").hidden = false;
  }
}

// Ask anew, free of what a former output had to begin with.
function begin() {
  state.prefixIds = [];
  ask();
}

function show() {
  const outputs = state.answer.outputs;
  at("result").hidden = outputs.length === 0;
  if (!outputs.length) return;
  at("output").textContent = outputs[state.shown].text;
  at("prefix-row").hidden = state.prefixIds.length === 0;
  if (state.prefixIds.length) {
    const steps = outputs[0].steps ?? [];
    at("prefix").textContent = steps.slice(0, state.prefixIds.length).map((step) => step.token).join("");
  }
  draw();
  showStep();
  at("outputs").replaceChildren(...outputs.map(outputRow));
}

function outputRow(output, index) {
  const row = document.createElement("tr");
  for (const number of [output.score, output.log_prob]) {
    const cell = document.createElement("td");
    cell.className = "number";
    cell.textContent = number === null ? "" : number.toFixed(3);
    row.append(cell);
  }
  const cell = document.createElement("td"), button = document.createElement("button");
  button.type = "button";
  button.dir = "auto";
  button.textContent = output.text || "(nothing)";
  button.setAttribute("aria-current", String(index === state.shown));
  button.addEventListener("click", () => {
    state.shown = index;
    show();
    at("outputs").rows[index].querySelector("button").focus();
  });
  cell.append(button);
  row.append(cell);
  return row;
}

function alignment() {
  const found = state.answer.outputs[state.shown].alignment;
  return { source: found.source_tokens, target: found.target_tokens, weights: found.weights };
}

function draw() {
  const found = alignment();
  if (!found.target.length) {
    at("drawing").replaceChildren();
    return;
  }
  at("drawing").replaceChildren(VIEWS[state.view](found));
}

function setView(name) {
  state.view = name;
  for (const one of Object.keys(VIEWS)) at(`view-${one}`).setAttribute("aria-pressed", String(one === name));
  if (state.answer) draw();
}

function showStep() {
  const output = state.answer.outputs[0], steps = output.steps ?? [];
  const there = steps.length > 0;
  for (const id of ["first", "back", "next", "last"]) at(id).disabled = !there;
  if (!there) {
    at("step").replaceChildren();
    at("step-number").textContent = "";
    return;
  }
  at("first").disabled = at("back").disabled = state.step === 0;
  at("next").disabled = at("last").disabled = state.step === steps.length - 1;
  at("step-number").textContent = `step ${state.step + 1} of ${steps.length} of the best output`;
  const choose = (ids) => {
    state.prefixIds = ids;
    ask();
  };
  drawStep(at("step"), { steps, source: output.alignment.source_tokens, number: state.step, choose });
}

function move(to) {
  const last = state.answer.outputs[0].steps.length - 1;
  state.step = Math.max(0, Math.min(last, to));
  showStep();
}

async function start() {
  try {
    state.models = (await models()).models;
  } catch (error) {
    say(error.message);
    if (error instanceof Refused && error.status === 401) at("token-label").hidden = false;
    return;
  }
  const options = state.models.map((one) => new Option(one.name, one.name));
  at("model").replaceChildren(...options);
  showExamples();
  if (!at("source").value) at("source").value = currentModel()?.examples[0] ?? "";
  begin(); // also what was typed before the models were known
}

let pause = 0;
function later() {
  clearTimeout(pause);
  pause = setTimeout(begin, PAUSE);
}

at("form").addEventListener("submit", (event) => event.preventDefault());
for (const id of ["source", "beam", "n-best"]) at(id).addEventListener("input", later);
at("model").addEventListener("change", () => {
  showExamples();
  begin();
});
at("token").addEventListener("change", () => {
  setToken(at("token").value);
  start();
});
at("free").addEventListener("click", begin);
for (const name of Object.keys(VIEWS)) at(`view-${name}`).addEventListener("click", () => setView(name));
at("save-svg").addEventListener("click", () => saveSvg(at("drawing").querySelector("svg")));
at("save-png").addEventListener("click", () => savePng(at("drawing").querySelector("svg")));
at("save-json").addEventListener("click", () => saveJson(state.answer));
at("first").addEventListener("click", () => move(0));
at("back").addEventListener("click", () => move(state.step - 1));
at("next").addEventListener("click", () => move(state.step + 1));
at("last").addEventListener("click", () => move(Infinity));
start();
