// What documents name, and how Tasks are cut into pages: written from the specification anew.

import { createHash } from "node:crypto";
import { canonical, digestOf, must } from "./canonical.mjs";

const PAGE_TASKS = 1000;
const CUT = 512;

/** Every Verifier node of a tree with its pointer, the outer ones first. */
export function* nodesOf(node, pointer) {
  yield [pointer, node];
  const edges = node.children ?? [];
  for (const [index, edge] of edges.entries())
    yield* nodesOf(edge.node, `${pointer}/children/${index}/node`);
}

/** The digest of a node: of its own canonical bytes, without the edge that holds it. */
export function nodeDigest(node) {
  return digestOf(canonical(node));
}

/** The blobs that a node itself names; free-form params name none. */
function* blobsOf(node) {
  const evaluator = node.evaluator ?? {};
  if (evaluator.kind === "builtin.v1" && evaluator.builtin_id === "file-equals")
    yield evaluator.params.content;
  if (evaluator.kind === "code.v1") yield evaluator.entrypoint;
  if (evaluator.kind === "judge.v1") yield evaluator.rubric;
  if (node.aggregation?.kind === "code") yield node.aggregation.entrypoint;
}

/** The blobs that a tree of nodes names. */
export function* blobsBelow(node) {
  for (const [, each] of nodesOf(node, "")) yield* blobsOf(each);
}

/** The files that an Artifact names. */
export function artifactFiles(artifact) {
  return Object.values(artifact.entries).filter((entry) => entry.type === "file");
}

/** What a Task names beside Verifiers' blobs: its Environment, and Artifacts. */
export function taskNames(task) {
  return { environment: task.environment, artifacts: task.seed_mounts ?? [] };
}

/** Sorted Task keys cut into pages; only keys decide where. */
export function* cutPages(keys) {
  let page = [];
  for (const key of keys) {
    page.push(key);
    const start = createHash("sha256").update(key, "utf8").digest().readUInt32BE(0);
    if (page.length === PAGE_TASKS || start % CUT === 0) {
      yield page;
      page = [];
    }
  }
  if (page.length) yield page;
}

/** The TaskSet of some Tasks and its pages, as documents: made from keys and blobs alone. */
export function makeTaskset(tasks, keys, taskGeneration) {
  const named = (some) => Object.fromEntries(some.map((key) => [key, tasks.get(key)]));
  if (keys.length <= PAGE_TASKS) {
    const schema = "fleet.taskset.v1alpha1";
    return { pages: [], taskset: { schema, task_generation: taskGeneration, tasks: named(keys) } };
  }
  const pages = [...cutPages(keys)].map((some) => ({
    keys: some,
    document: canonical({ schema: "fleet.taskset_page.v1alpha1", tasks: named(some) }),
  }));
  const entries = pages.map(({ keys: some, document }) => ({
    first: some[0],
    last: some.at(-1),
    count: some.length,
    digest: digestOf(document),
    size: document.length,
  }));
  const head = { schema: "fleet.taskset.v1alpha2", task_generation: taskGeneration };
  return { pages, taskset: { ...head, task_count: keys.length, pages: entries } };
}

/** The number of a Task generation such as `v1alpha7`. */
export function generationNumber(name) {
  const found = /^v1alpha([1-9][0-9]*)$/.exec(name);
  must(found, `${name} is no Task generation`);
  return Number(found[1]);
}
