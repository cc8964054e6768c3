// Source above, output below, and lines as thick as the weights.

import { element, lightUp, tokenBox } from "./svg.js";
import { runsLeftwards, shown, width } from "./tokens.js";

const HEIGHT = 34, GAP = 8, BETWEEN = 130, EDGE = 6, FAINTEST = 0.02, THICKEST = 12;

// Where the boxes of a row stand.
function row(tokens) {
  const boxes = tokens.map((token) => ({ text: shown(token), width: Math.max(26, width(shown(token)) + 16) }));
  const total = boxes.reduce((sum, box) => sum + box.width + GAP, -GAP);
  let x = 0;
  for (const box of boxes) {
    box.x = x;
    x += box.width + GAP;
  }
  if (runsLeftwards(tokens)) for (const box of boxes) box.x = total - box.x - box.width;
  return { boxes, total: Math.max(0, total) };
}

export function drawLines({ source, target, weights }) {
  const above = row(source), below = row(target);
  const total = Math.max(above.total, below.total);
  for (const one of [above, below]) for (const box of one.boxes) box.x += EDGE + (total - one.total) / 2;
  const top = EDGE, bottom = EDGE + HEIGHT + BETWEEN;
  const size = { width: total + 2 * EDGE, height: bottom + HEIGHT + EDGE };
  const drawing = element("svg", { ...size, viewBox: `0 0 ${size.width} ${size.height}`, role: "group" });
  drawing.setAttribute("aria-label", "Source above, output below, joined by lines");
  weights.forEach((weightsOfOne, t) => weightsOfOne.forEach((weight, s) => {
    if (weight < FAINTEST) return;
    const from = above.boxes[s], to = below.boxes[t];
    drawing.append(element("line", {
      class: "line", "data-source": s, "data-target": t, "stroke-linecap": "round",
      x1: from.x + from.width / 2, y1: top + HEIGHT, x2: to.x + to.width / 2, y2: bottom,
      "stroke-width": (THICKEST * weight).toFixed(2), "stroke-opacity": (0.25 + 0.6 * weight).toFixed(3),
    }));
  }));
  above.boxes.forEach((box, index) => drawing.append(tokenBox({
    ...box, y: top, height: HEIGHT, kind: "source", index, label: `source token ${index + 1}: ${box.text}`,
  })));
  below.boxes.forEach((box, index) => drawing.append(tokenBox({
    ...box, y: bottom, height: HEIGHT, kind: "target", index, label: lookedAt(box.text, index, weights[index], source),
  })));
  lightUp(drawing);
  return drawing;
}

// What is read out of an output token.
export function lookedAt(text, index, weights, source) {
  const order = weights.map((weight, s) => [weight, s]).sort((a, b) => b[0] - a[0]).slice(0, 3);
  const told = order.filter(([weight]) => weight >= 0.05)
    .map(([weight, s]) => `${shown(source[s])} ${Math.round(100 * weight)} %`).join(", ");
  return `output token ${index + 1}: ${text}; looked at ${told || "nothing in particular"}`;
}
