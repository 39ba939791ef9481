// Tokenises files with the library that VS Code uses, and compares each token with the compiler's own.
// usage: node grammar.mjs WANTED.json, a list of {file, tokens: [[offset, sort, text], ...]}
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");
const here = path.dirname(fileURLToPath(import.meta.url));

await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => {
    const file = path.join(here, "..", "syntaxes", "tale.tmLanguage.json");
    return textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file);
  },
});
const grammar = await registry.loadGrammar("source.tale");

const SORTS = [
  ["comment.", "comment"],
  ["keyword.operator", ""],
  ["keyword.", "keyword"],
  ["storage.", "keyword"],
  ["constant.numeric", "number"],
  ["entity.name.type", "capital"],
  ["entity.name.function", "name"],
  ["variable.", "name"],
  ["string.", "text"],
];

function sortOf(scopes) {
  for (const scope of [...scopes].reverse()) {
    const found = SORTS.find(([start]) => scope.startsWith(start));
    if (found) return found[1];
  }
  return "";
}

let wrong = 0;
let seen = 0;
for (const { file, tokens } of JSON.parse(fs.readFileSync(process.argv[2], "utf8"))) {
  const characters = Array.from(fs.readFileSync(file, "utf8"));
  const lines = characters.join("").split("\n");
  const sorts = new Map();
  let state = textmate.INITIAL;
  let start = 0;
  for (const line of lines) {
    const result = grammar.tokenizeLine(line, state);
    state = result.ruleStack;
    for (const token of result.tokens) {
      sorts.set(start + Array.from(line.slice(0, token.startIndex)).length, sortOf(token.scopes));
    }
    start += Array.from(line).length + 1;
  }
  for (const [offset, sort, text] of tokens) {
    seen += 1;
    if (sorts.get(offset) !== sort) {
      wrong += 1;
      if (wrong <= 20) console.log(`${file}:${offset} ${JSON.stringify(text.slice(0, 30))} is ${sort}, coloured as ${sorts.get(offset)}`);
    }
  }
}
console.log(`${seen} tokens, ${wrong} coloured otherwise`);
process.exit(wrong === 0 && seen > 0 ? 0 : 1);
