// The published test vectors, recomputed without the compiler: see fixtures/identity/README.md.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { byBytes, canonical, digestOf, must, parseCanonical } from "./canonical.mjs";
import * as content from "./content.mjs";
import { expanded, normalised } from "./decimals.mjs";

const INLINE_TASKS = 1000;

/** Check every vector below a folder; return how many there are of each kind. */
export function checkVectors(folder) {
  const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const cases = readdirSync(join(folder, "cases")).sort();
  for (const name of cases) checkCase(name, read(join("cases", name, "expected.json")));
  return {
    cases: cases.length,
    canonical: checkCanonical(read("canonical.json")),
    decimals: checkDecimals(read("decimals.json")),
    pages: checkPages(read("pages.json")),
  };
}

function checkCanonical({ good, refused }) {
  for (const { name, json, canonical: text, digest } of good) {
    const bytes = canonical(JSON.parse(json));
    must(!refusal(json), `${name} is refused`);
    must(bytes.toString("utf8") === text, `${name} has other canonical bytes`);
    must(digestOf(bytes) === digest, `${name} has another digest`);
  }
  for (const { name, json, why } of refused)
    must(refusal(json) === why, `${name} is not refused as ${why}`);
  return good.length + refused.length;
}

/** Why JSON text is no content, as far as the vectors show it. */
function refusal(json) {
  const outside = json.replace(/"(?:[^"\\]|\\.)*"/gs, '""');
  for (const [number] of outside.matchAll(/-?[0-9][0-9.eE+-]*/g)) {
    if (/[.eE]/.test(number)) return "fraction";
    if (!Number.isSafeInteger(Number(number))) return "big-integer";
  }
  try {
    canonical(JSON.parse(json));
  } catch {
    return "lone-surrogate";
  }
  return null;
}

function checkDecimals({ authored, rows, refused }) {
  for (const { text, canonical: wanted } of authored)
    must(normalised(text) === wanted, `the decimal ${text} is not ${wanted}`);
  for (const { text, canonical: wanted } of rows)
    must(expanded(text) === wanted, `the number ${text} of a row is not ${wanted}`);
  for (const text of refused) must(normalised(text) === null, `the decimal ${text} is not refused`);
  return authored.length + rows.length + refused.length;
}

function checkPages(vectors) {
  for (const { prefix, count, pages } of vectors) {
    const keys = Array.from({ length: count }, (_, index) => `${prefix}${index}`).sort(byBytes);
    const cut = count > INLINE_TASKS ? [...content.cutPages(keys)] : [];
    const found = cut.map((page) => [page[0], page.at(-1), page.length]);
    must(JSON.stringify(found) === JSON.stringify(pages), `${count} keys ${prefix} cut otherwise`);
  }
  return vectors.length;
}

function checkCase(name, { roots, documents, blobs }) {
  const objects = new Map();
  for (const { digest, size, canonical: text, text: plain } of [...documents, ...blobs]) {
    const bytes = Buffer.from(text ?? plain, "utf8");
    must(digestOf(bytes) === digest && bytes.length === size, `${name}: ${digest} is another`);
    if (text !== undefined) parseCanonical(bytes, `${name}: ${digest}`);
    objects.set(digest, bytes);
  }
  const parsed = (digest) => {
    must(objects.has(digest), `${name}: ${digest} is missing`);
    return JSON.parse(objects.get(digest));
  };
  const used = new Set();
  for (const root of roots) checkRoot(name, root, parsed, used);
  const left = [...objects.keys()].filter((digest) => !used.has(digest));
  must(left.length === 0, `${name}: nothing names ${left}`);
}

function checkRoot(name, root, parsed, used) {
  const document = parsed(root.digest);
  used.add(root.digest);
  must(document.schema === root.schema, `${name}: ${root.digest} is no ${root.schema}`);
  if (document.node) {
    checkNodes(name, document.node, "/node", root.nodes, used);
    return;
  }
  for (const [key, { digest }] of Object.entries(document.tasks ?? {})) {
    const task = parsed(digest);
    must(root.tasks[key] === digest, `${name}: the Task ${key} has another digest`);
    used.add(digest).add(task.environment.digest);
    for (const [index, node] of task.verifiers.entries())
      checkNodes(name, node, `/verifiers/${index}`, root.nodes[key], used);
  }
}

function checkNodes(name, tree, at, told, used) {
  for (const [pointer, node] of content.nodesOf(tree, at))
    must(told[pointer] === content.nodeDigest(node), `${name}: another digest at ${pointer}`);
  for (const { digest } of content.blobsBelow(tree)) used.add(digest);
}
