// The OpenAPI description, made readable.

function element(name, words, children = []) {
  const made = document.createElement(name);
  if (words) made.textContent = words;
  made.append(...children);
  return made;
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.type === "array") return `list of ${typeOf(schema.items ?? {})}`;
  return schema.type ?? "anything";
}

function fields(schema) {
  const rows = Object.entries(schema.properties ?? {}).map(([name, one]) => element("tr", "", [
    element("td", name), element("td", typeOf(one)), element("td", (schema.required ?? []).includes(name) ? "yes" : "no"),
    element("td", one.description ?? ""),
  ]));
  const head = element("thead", "", [element("tr", "", ["name", "type", "must be given", "meaning"].map((one) => element("th", one)))]);
  return element("table", "", [head, element("tbody", "", rows)]);
}

const description = await (await fetch("openapi.json")).json();
const sections = [];
for (const [path, methods] of Object.entries(description.paths)) {
  for (const [method, one] of Object.entries(methods)) {
    sections.push(element("h2", `${method.toUpperCase()} ${path}`), element("p", one.description ?? ""));
  }
}
sections.push(element("h2", "What requests and answers hold"));
for (const [name, schema] of Object.entries(description.components?.schemas ?? {})) {
  const scroll = element("div", "", [fields(schema)]);
  scroll.className = "scroll";
  scroll.tabIndex = 0;
  scroll.setAttribute("role", "region");
  scroll.setAttribute("aria-label", name);
  sections.push(element("h3", name), element("p", schema.description ?? ""), scroll);
}
document.getElementById("reference").replaceChildren(...sections);
