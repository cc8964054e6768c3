// Making SVG elements, and lighting tokens up.

const NAMESPACE = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, children = []) {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// A token in a box that can be pointed at, tabbed to and chosen.
export function tokenBox({ text, label, x, y, width, height, kind, index }) {
  const attributes = { class: "token", tabindex: "0", role: "button", "aria-label": label };
  const box = element("g", { ...attributes, "data-kind": kind, "data-index": index }, [
    element("rect", { x, y, width, height, rx: 5 }),
    element("text", { x: x + width / 2, y: y + height / 2 + 5.5, "text-anchor": "middle" }, [text]),
  ]);
  return box;
}

// Pointing at a token or tabbing to it lights up what belongs to it; marks carry data-source and data-target.
export function lightUp(drawing) {
  const marks = [...drawing.querySelectorAll("[data-source][data-target]")];
  const tokens = [...drawing.querySelectorAll(".token")];
  const set = (token) => {
    drawing.classList.toggle("some-lit", token !== null);
    const kind = token?.dataset.kind, index = token?.dataset.index;
    for (const mark of marks) mark.classList.toggle("lit", token !== null && mark.dataset[kind] === index);
    for (const other of tokens) other.classList.toggle("lit", other === token);
  };
  for (const token of tokens) {
    token.addEventListener("pointerenter", () => set(token));
    token.addEventListener("pointerleave", () => set(null));
    token.addEventListener("focus", () => set(token));
    token.addEventListener("blur", () => set(null));
  }
}
