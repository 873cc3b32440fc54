// Canonical bytes and digests as the npm package `canonicalize` sees them, not as our compiler does.

import { createHash } from "node:crypto";

const installed = "../../build/node/node_modules/canonicalize/lib/canonicalize.js";
const { default: canonicalize } = await import(new URL(installed, import.meta.url));

export class Mismatch extends Error {}

/** Throw unless something holds. */
export function must(holds, message) {
  if (!holds) throw new Mismatch(message);
}

/** The canonical bytes of a value. */
export function canonical(value) {
  return Buffer.from(canonicalize(value), "utf8");
}

/** `sha256:` and the 64 hex digits of some bytes. */
export function digestOf(bytes) {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

/** The value of a document, which must be in canonical bytes. */
export function parseCanonical(bytes, name) {
  const value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  must(canonical(value).equals(bytes), `${name} is not in canonical bytes`);
  checkNumbers(value, name);
  return value;
}

/** Texts in the order of their UTF-8 bytes. */
export function byBytes(one, two) {
  return Buffer.compare(Buffer.from(one, "utf8"), Buffer.from(two, "utf8"));
}

function checkNumbers(value, name) {
  if (typeof value === "number") must(Number.isSafeInteger(value), `${name} holds ${value}`);
  else if (value !== null && typeof value === "object")
    for (const item of Object.values(value)) checkNumbers(item, name);
}
