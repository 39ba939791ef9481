// Runs the bundled extension against a stand-in for VS Code, and prints as JSON what it did.
// usage: node extension.mjs BUNDLE.js FOLDER, a package with `.venv/bin/tale`; `untrusted` as a third word
import fs from "node:fs";
import Module, { createRequire } from "node:module";
import path from "node:path";

const [bundle, folder, trust] = process.argv.slice(2);
const told = { warnings: [], errors: [], commands: [], tasks: [], tests: {}, runs: [] };

/** Anything of VS Code that the test does not look at: can be called, made, subclassed and asked for parts. */
function anything() {
  return new Proxy(class {}, {
    get: (target, name) => {
      if (name === "prototype" || name in target) return target[name];
      return typeof name === "symbol" || name === "then" ? undefined : (target[name] = anything());
    },
    apply: () => anything(),
  });
}

class Items {
  all = new Map();
  get size() { return this.all.size; }
  add(item) { this.all.set(item.id, item); }
  delete(id) { this.all.delete(id); }
  forEach(each) { this.all.forEach((item) => each(item)); }
}
const uri = (file) => ({ scheme: "file", fsPath: file, toString: () => `file://${file}` });
const event = () => () => ({ dispose() {} });
const controller = {
  items: new Items(),
  profiles: {},
  createTestItem: (id, label, at) => ({ id, label, uri: at, children: new Items() }),
  createRunProfile(name, kind, run) { this.profiles[name] = run; },
  createTestRun: () => ({
    enqueued() {}, started() {}, appendOutput() {},
    passed: (item) => told.runs.push(["passed", item.label]),
    failed: (item, message) => told.runs.push(["failed", item.label, message.text, message.location.at.line]),
    errored: (item, message) => told.runs.push(["errored", item.label, message.text]),
    end() {},
  }),
  dispose() {},
};
const registered = new Map();
const configured = {};
const known = {
  version: "1.96.0",
  workspace: {
    isTrusted: trust !== "untrusted",
    workspaceFolders: [{ uri: uri(folder), name: "package", index: 0 }],
    textDocuments: [],
    getConfiguration: () => ({ get: (name, otherwise) => configured[name] ?? otherwise }),
    createFileSystemWatcher: () => ({ onDidCreate: event(), onDidChange: event(), onDidDelete: event(), dispose() {} }),
    findFiles: async () => fs.readdirSync(folder).filter((each) => each.endsWith(".tale")).map((each) => uri(path.join(folder, each))),
    fs: { readFile: async (at) => fs.readFileSync(at.fsPath) },
    onDidChangeWorkspaceFolders: event(),
    onDidSaveTextDocument: event(),
  },
  window: {
    activeTextEditor: undefined,
    showWarningMessage: async (text) => void told.warnings.push(text),
    showErrorMessage: async (text) => void told.errors.push(text),
  },
  commands: {
    registerCommand: (name, run) => (registered.set(name, run), { dispose() {} }),
    executeCommand: async () => undefined,
  },
  tests: { createTestController: () => controller },
  tasks: { executeTask: async (task) => void told.tasks.push({ command: task.execution.command, args: task.execution.args, cwd: task.execution.options.cwd }) },
  Task: class { constructor(definition, scope, name, source, execution) { this.execution = execution; } },
  ProcessExecution: class { constructor(command, args, options) { Object.assign(this, { command, args, options }); } },
  TestRunRequest: class { constructor(include) { this.include = include; } },
  TestMessage: class { constructor(text) { this.text = text; } },
  Location: class { constructor(file, at) { this.at = at; } },
  Position: class { constructor(line, character) { Object.assign(this, { line, character }); } },
  Range: class {},
  EventEmitter: class {
    heard = new Set();
    event = (listener) => (this.heard.add(listener), { dispose: () => this.heard.delete(listener) });
    fire(what) { this.heard.forEach((listener) => listener(what)); }
    dispose() {}
  },
  Uri: Object.assign(class {}, { file: uri }),
  CancellationTokenSource: class { token = { isCancellationRequested: false, onCancellationRequested: event() }; },
};
const vscode = new Proxy(known, { get: (target, name) => (name in target ? target[name] : (target[name] = anything())) });
for (const part of ["workspace", "window", "commands"]) {
  known[part] = new Proxy(known[part], { get: (target, name) => (name in target ? target[name] : (target[name] = anything())) });
}

// The program under test serves nobody: what the client library then leaves behind is no concern here.
process.on("unhandledRejection", () => {});
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = createRequire(import.meta.url)(path.resolve(bundle));
await extension.activate({ subscriptions: [] });
told.commands = [...registered.keys()].sort();

const token = new known.CancellationTokenSource().token;
await controller.profiles["Run"]({ include: undefined, exclude: [] }, token);
controller.items.forEach((file) => {
  told.tests[file.label] = [];
  file.children.forEach((item) => told.tests[file.label].push(item.label));
});
await registered.get("tale.lint")();
await registered.get("tale.playChapter")(folder, "evening");
const before = told.runs.length;
await registered.get("tale.traceTest")(fs.realpathSync(folder), "it fails");
told.traced = told.runs.splice(before);
configured.command = "/opt/other/tale";
await registered.get("tale.test")();
console.log(JSON.stringify(told));
process.exit(0);
