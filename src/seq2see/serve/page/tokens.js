// Tokens as they are shown.

const INVISIBLE = /^[\s\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]*$/u;

export function shown(token) {
  if (token === "") return "∎"; // the end
  const text = token.replaceAll(" ", "␣").replaceAll("\n", "⏎").replaceAll("\t", "⇥");
  if (INVISIBLE.test(token) && !/[␣⏎⇥]/u.test(text)) {
    return [...token].map((char) => `U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`).join(" ");
  }
  // a mark stands on a circle where it has no letter to stand on
  return /^\p{M}/u.test(text) ? `◌${text}` : text;
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

// Whether a line of tokens runs from right to left: its first letter decides, as in running text.
export function runsLeftwards(tokens) {
  const letter = tokens.join("").match(/\p{L}/u);
  return letter !== null && RIGHT_TO_LEFT.test(letter[0]);
}

const canvas = document.createElement("canvas").getContext("2d");

export function width(text) {
  canvas.font = `16px ${getComputedStyle(document.body).fontFamily}`;
  return Math.ceil(canvas.measureText(text).width);
}
