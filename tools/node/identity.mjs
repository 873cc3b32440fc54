// Recompute digests without the compiler: `identity.mjs store|verifier|vectors FOLDER...`.
//
// Prints JSON about what agreed; ends with 1 and one line at the first thing that does not.

import { checkStore } from "./store.mjs";
import { checkVectors } from "./vectors.mjs";
import { checkVerifier } from "./verifier.mjs";

const [command, ...folders] = process.argv.slice(2);
const check = { store: checkStore, verifier: checkVerifier, vectors: checkVectors }[command];
if (!check || !folders.length) {
  console.error("usage: identity.mjs store|verifier|vectors FOLDER...");
  process.exit(2);
}
const told = [];
for (const folder of folders) {
  try {
    told.push(check(folder));
  } catch (error) {
    console.error(`${folder}: ${error.message}`);
    process.exit(1);
  }
}
console.log(JSON.stringify(told));
