// The folder of a standalone Verifier: its document, its nodes, and the blobs it names.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { byBytes, digestOf, must, parseCanonical } from "./canonical.mjs";
import { blobsBelow, nodeDigest, nodesOf } from "./content.mjs";

/** Check what `fleet compile-verifier` wrote; return its digests. */
export function checkVerifier(folder) {
  const bytes = readFileSync(join(folder, "verifier.json"));
  const document = parseCanonical(bytes, "verifier.json");
  must(document.schema === "fleet.verifier.v1alpha1", "verifier.json is no Verifier");
  const named = new Map([...blobsBelow(document.node)].map(({ digest, size }) => [digest, size]));
  const blobs = join(folder, "blobs", "sha256");
  const found = new Map();
  for (const name of existsSync(blobs) ? readdirSync(blobs) : []) {
    const blob = readFileSync(join(blobs, name));
    must(digestOf(blob) === `sha256:${name}`, `the blob ${name} has another digest`);
    found.set(`sha256:${name}`, blob.length);
  }
  for (const [digest, size] of named) must(found.get(digest) === size, `${digest} is missing`);
  const nodes = [...nodesOf(document.node, "/node")];
  return {
    digest: digestOf(bytes),
    nodes: nodes.map(([pointer, node]) => [pointer, nodeDigest(node)]),
    blobs: [...named.keys()].sort(byBytes),
  };
}
