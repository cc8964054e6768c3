// Asking the server.

let token = "";

export function setToken(given) {
  token = given;
}

export class Refused extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function ask(path, options) {
  const headers = { ...(options.headers ?? {}), ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  const response = await fetch(path, { ...options, headers });
  const body = await response.json();
  if (!response.ok) {
    const error = body.error ?? {};
    throw new Refused(response.status, error.code ?? "", error.message ?? `the server answers ${response.status}`);
  }
  return body;
}

export function models() {
  return ask("v1/models", {});
}

export function translate(body, signal) {
  const headers = { "Content-Type": "application/json" };
  return ask("v1/translate", { method: "POST", headers, body: JSON.stringify(body), signal });
}
