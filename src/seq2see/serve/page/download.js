// Saving what is shown.

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// The drawing by itself: what the page's style sheet says becomes part of it.
function alone(drawing) {
  const copy = drawing.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.classList.remove("some-lit");
  const style = getComputedStyle(document.body);
  const originals = drawing.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((part, index) => {
    part.classList.remove("lit");
    for (const name of ["tabindex", "role", "aria-label"]) part.removeAttribute(name);
    const found = getComputedStyle(originals[index]);
    if (part.matches("rect, line, text")) {
      for (const name of ["fill", "stroke"]) part.setAttribute(name, found[name]);
    }
    if (part.matches("text")) {
      part.setAttribute("font-family", style.fontFamily);
      part.setAttribute("font-size", "16");
    }
  });
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of [["width", "100%"], ["height", "100%"], ["fill", style.backgroundColor]]) {
    paper.setAttribute(name, value);
  }
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy);
}

export function saveSvg(drawing) {
  save(new Blob([alone(drawing)], { type: "image/svg+xml" }), "alignment.svg");
}

export async function savePng(drawing) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(alone(drawing))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  const size = drawing.viewBox.baseVal;
  canvas.width = 2 * size.width;
  canvas.height = 2 * size.height;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(blob, "alignment.png"), "image/png");
}

export function saveJson(content) {
  save(new Blob([JSON.stringify(content, null, 1)], { type: "application/json" }), "alignment.json");
}
