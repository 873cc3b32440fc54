// A compiled store, made again from the Task, Environment, Artifact and blob objects that it holds.
//
// Pages, the TaskSet, packs, the manifest and `index.json` follow from those objects, so all
// of them are built anew here, and every byte and digest must be what the compiler wrote.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { byBytes, canonical, digestOf, must, parseCanonical } from "./canonical.mjs";
import * as content from "./content.mjs";

const BIG = 1 << 20;
const COMMON = { objects: 1000, bytes: 64 << 20, cut: 512 };
const EMPTY = Buffer.from("{}");
const NAME = "org.opencontainers.image.ref.name";
const TYPES = {
  blob: "application/vnd.fleet.blob.v1",
  empty: "application/vnd.oci.empty.v1+json",
  index: "application/vnd.oci.image.index.v1+json",
  manifest: "application/vnd.oci.image.manifest.v1+json",
  pack: "application/vnd.fleet.pack.v1",
};

/** Check every root of a store; return what each is, for a comparison with the compiler's word. */
export function checkStore(folder) {
  const blobs = readBlobs(join(folder, "blobs", "sha256"));
  const layout = parseCanonical(readFileSync(join(folder, "oci-layout")), "oci-layout");
  must(layout.imageLayoutVersion === "1.0.0", "oci-layout is of another version");
  const index = parseCanonical(readFileSync(join(folder, "index.json")), "index.json");
  must(index.schemaVersion === 2 && index.mediaType === TYPES.index, "index.json is no index");
  const names = index.manifests.map((each) => each.annotations[NAME]);
  must(String(names) === String([...names].sort(byBytes)), "index.json is not sorted by name");
  const used = new Set([digestOf(EMPTY)]);
  const roots = index.manifests.map((each) => checkRoot(each, blobs, used));
  const left = [...blobs.keys()].filter((digest) => !used.has(digest));
  must(left.length === 0, `no root holds ${left}`);
  return { blobs: blobs.size, roots };
}

function readBlobs(folder) {
  const found = new Map();
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    must(digestOf(bytes) === `sha256:${name}`, `the blob ${name} has another digest`);
    found.set(digestOf(bytes), bytes);
  }
  return found;
}

function checkRoot(descriptor, blobs, used) {
  const written = parseCanonical(take(descriptor, blobs), "a manifest");
  used.add(descriptor.digest);
  const objects = readObjects(written, blobs, used);
  const first = written.layers[0];
  const document = parseCanonical(objects.get(first.digest), "a root");
  const [, kind, generation] = document.schema.split(".");
  const type = `application/vnd.fleet.${kind}.${generation}+json`;
  const built = BUILD[kind](document, objects);
  must(canonical(built.document).equals(objects.get(first.digest)), `the ${kind} is another one`);
  const held = new Set([first.digest, ...built.packs.flat(), ...built.common]);
  const foreign = [...objects.keys()].filter((digest) => !held.has(digest));
  must(foreign.length === 0, `nothing names ${foreign}`);
  const manifest = canonical(makeManifest(type, first, built, objects));
  must(digestOf(manifest) === descriptor.digest, `the manifest of the ${kind} is another one`);
  must(descriptor.artifactType === type && descriptor.mediaType === TYPES.manifest, "wrong types");
  return {
    kind,
    name: descriptor.annotations[NAME],
    digest: first.digest,
    manifest: descriptor.digest,
    tasks: built.tasks,
    objects: [...objects.keys()].sort(byBytes),
  };
}

/** The bytes of what a descriptor or a document names; its size must be right. */
function take({ digest, size }, objects) {
  const bytes = objects.get(digest);
  must(bytes, `${digest} is missing`);
  must(bytes.length === size, `${digest} has ${bytes.length} bytes, not ${size}`);
  return bytes;
}

/** All objects of a root by the digest of their own bytes. */
function readObjects(manifest, blobs, used) {
  const found = new Map();
  for (const layer of manifest.layers) {
    const bytes = take(layer, blobs);
    used.add(layer.digest);
    if (layer.mediaType !== TYPES.pack) {
      found.set(layer.digest, bytes);
      continue;
    }
    let start = bytes.indexOf(0x0a) + 1;
    for (const [digest, size] of JSON.parse(bytes.subarray(0, start))) {
      const object = bytes.subarray(start, start + size);
      must(digestOf(object) === digest, `${digest} in a pack has another digest`);
      found.set(digest, object);
      start += size;
    }
    must(start === bytes.length, `the pack ${layer.digest} does not end with its last object`);
  }
  return found;
}

const BUILD = { taskset: buildTaskset, environment: buildEnvironment, artifact: buildArtifact };

function buildEnvironment(document) {
  return { document, packs: [], common: new Set(), tasks: {} };
}

function buildArtifact(document, objects) {
  const common = new Set();
  for (const file of content.artifactFiles(document)) addObject(file, objects, common);
  return { document, packs: [], common, tasks: {} };
}

function buildTaskset(document, objects) {
  const maps = document.pages
    ? document.pages.map((page) => parseCanonical(take(page, objects), "a page").tasks)
    : [document.tasks];
  const tasks = new Map(maps.flatMap((map) => Object.entries(map)));
  const keys = [...tasks.keys()].sort(byBytes);
  const made = content.makeTaskset(tasks, keys, document.task_generation);
  const packs = made.pages.map((page) => [
    digestOf(page.document),
    ...page.keys.map((key) => tasks.get(key).digest),
  ]);
  if (!made.pages.length) packs.push(keys.map((key) => tasks.get(key).digest));
  const common = new Set();
  const told = {};
  const highest = content.generationNumber(document.task_generation);
  for (const key of keys) {
    const task = parseCanonical(take(tasks.get(key), objects), key);
    const own = content.generationNumber(task.schema.replace("fleet.task.", ""));
    must(own <= highest, `the Task ${key} is above the generation of its TaskSet`);
    addTask(task, objects, common);
    told[key] = { digest: tasks.get(key).digest, nodes: tellNodes(task) };
  }
  return { document: made.taskset, packs, common, tasks: told };
}

function tellNodes(task) {
  return task.verifiers.flatMap((root, index) =>
    [...content.nodesOf(root, `/verifiers/${index}`)].map(([pointer, node]) => [
      pointer,
      content.nodeDigest(node),
    ]),
  );
}

function addTask(task, objects, common) {
  const { environment, artifacts } = content.taskNames(task);
  parseCanonical(addObject(environment, objects, common), "an Environment");
  for (const blob of task.verifiers.flatMap((root) => [...content.blobsBelow(root)]))
    addObject(blob, objects, common);
  for (const named of artifacts) {
    const artifact = parseCanonical(addObject(named, objects, common), "an Artifact");
    for (const file of content.artifactFiles(artifact)) addObject(file, objects, common);
  }
}

function addObject(named, objects, common) {
  common.add(named.digest);
  return take(named, objects);
}

function makeManifest(type, first, { packs, common }, objects) {
  const isBig = (digest) => objects.get(digest).length >= BIG;
  const rest = [...common].filter((digest) => digest !== first.digest).sort(byBytes);
  const big = new Set([...packs.flat(), ...rest].filter(isBig));
  big.delete(first.digest);
  const small = packs.map((pack) => [...new Set(pack)].filter((digest) => !isBig(digest)));
  const cut = [...cutCommon(rest.filter((digest) => !isBig(digest)), objects)];
  const packed = [...small, ...cut].filter((pack) => pack.length);
  const describe = (mediaType, bytes) => ({ mediaType, digest: digestOf(bytes), size: bytes.length });
  return {
    schemaVersion: 2,
    mediaType: TYPES.manifest,
    artifactType: type,
    config: describe(TYPES.empty, EMPTY),
    layers: [
      describe(type, objects.get(first.digest)),
      ...[...big].sort(byBytes).map((digest) => describe(TYPES.blob, objects.get(digest))),
      ...packed.map((pack) => describe(TYPES.pack, makePack(pack, objects))),
    ],
  };
}

function* cutCommon(digests, objects) {
  let pack = [];
  let size = 0;
  for (const digest of digests) {
    const more = objects.get(digest).length;
    if (pack.length && size + more > COMMON.bytes) {
      yield pack;
      [pack, size] = [[], 0];
    }
    pack.push(digest);
    size += more;
    const start = Number.parseInt(digest.slice(7, 15), 16);
    if (pack.length === COMMON.objects || start % COMMON.cut === 0) {
      yield pack;
      [pack, size] = [[], 0];
    }
  }
  if (pack.length) yield pack;
}

function makePack(digests, objects) {
  const held = digests.map((digest) => objects.get(digest));
  const table = digests.map((digest, index) => [digest, held[index].length]);
  return Buffer.concat([canonical(table), Buffer.from("\n"), ...held]);
}
