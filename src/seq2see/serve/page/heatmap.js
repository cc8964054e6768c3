// A row for each output token, a column for each source token; the darker, the more it was looked at.

import { lookedAt } from "./lines.js";
import { element, lightUp, tokenBox } from "./svg.js";
import { shown, width } from "./tokens.js";

const CELL = 34, EDGE = 6;

export function drawHeatmap({ source, target, weights }) {
  const sides = Math.max(30, ...target.map((token) => width(shown(token)) + 16));
  const heads = source.map((token) => Math.max(CELL, width(shown(token)) + 12));
  const starts = heads.map((_, s) => EDGE + sides + 4 + heads.slice(0, s).reduce((sum, one) => sum + one, 0));
  const total = EDGE + sides + 4 + heads.reduce((sum, one) => sum + one, 0) + EDGE;
  const top = EDGE + CELL + 4;
  const height = top + CELL * target.length + EDGE;
  const drawing = element("svg", { width: total, height, viewBox: `0 0 ${total} ${height}`, role: "group" });
  drawing.setAttribute("aria-label", "A row for each output token, a column for each source token");
  source.forEach((token, s) => drawing.append(tokenBox({
    text: shown(token), label: `source token ${s + 1}: ${shown(token)}`, kind: "source", index: s,
    x: starts[s] + 1, y: EDGE, width: heads[s] - 2, height: CELL,
  })));
  target.forEach((token, t) => {
    const y = top + CELL * t;
    drawing.append(tokenBox({
      text: shown(token), label: lookedAt(shown(token), t, weights[t], source), kind: "target", index: t,
      x: EDGE, y: y + 1, width: sides, height: CELL - 2,
    }));
    source.forEach((_, s) => {
      const place = { x: starts[s], y, width: heads[s], height: CELL };
      const title = element("title", {}, [`${shown(token)} ← ${shown(source[s])}: ${weights[t][s].toFixed(2)}`]);
      drawing.append(element("rect", {
        class: "cell", "data-source": s, "data-target": t, "fill-opacity": weights[t][s].toFixed(3), ...place,
      }, [title]), element("rect", { class: "grid", "pointer-events": "none", ...place }));
    });
  });
  lightUp(drawing);
  return drawing;
}
