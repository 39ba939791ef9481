import * as fs from "fs";
import * as path from "path";
import {
  CancellationToken,
  CancellationTokenSource,
  ExtensionContext,
  Location,
  Position,
  Range,
  TestController,
  TestItem,
  TestMessage,
  TestRunProfileKind,
  TestRunRequest,
  tests,
  Uri,
  workspace,
} from "vscode";
import { packageFolder, ready, run } from "./tale";

interface Failed {
  name: string;
  file: string;
  line: number;
  message: string;
  trace?: string[];
}

// Packages that tools installed are not the author's.
const NOT_OURS = "**/{.venv,node_modules}/**";

export interface Explorer {
  /** Runs one test, given by package folder and title, and shows what happened in it. */
  trace(folder: string, title: string): Promise<void>;
}

/** The tests of all open packages in VS Code's own list, to run, or to debug by what happened in them. */
export function exploreTests(context: ExtensionContext): Explorer {
  const controller = tests.createTestController("tale", "Tale");
  context.subscriptions.push(controller);
  const look = async (uri: Uri): Promise<void> => readFile(controller, uri);
  const watcher = workspace.createFileSystemWatcher("**/*.tale");
  context.subscriptions.push(
    watcher,
    watcher.onDidCreate(look),
    watcher.onDidChange(look),
    watcher.onDidDelete((uri) => controller.items.delete(uri.toString())),
    workspace.onDidChangeWorkspaceFolders(() => void lookEverywhere()),
  );
  const lookEverywhere = async (): Promise<void> => {
    await Promise.all((await workspace.findFiles("**/*.tale", NOT_OURS)).map(look));
  };
  // The list must be whole before anything runs, also when nobody has opened it yet.
  let known: Promise<void> | undefined;
  const all = (): Promise<void> => (known ??= lookEverywhere());
  controller.refreshHandler = lookEverywhere;
  controller.resolveHandler = async (item) => (item === undefined ? all() : undefined);
  const start = async (asked: TestRunRequest, token: CancellationToken, traced: boolean): Promise<void> => {
    await all();
    await runTests(controller, asked, token, traced);
  };
  controller.createRunProfile("Run", TestRunProfileKind.Run, (asked, token) => start(asked, token, false), true);
  controller.createRunProfile("Debug by trace", TestRunProfileKind.Debug, (asked, token) => start(asked, token, true));
  void all();
  return {
    trace: async (folder, title) => {
      await all();
      const found: TestItem[] = [];
      controller.items.forEach((file) => {
        const own = packageFolder(file.uri);
        if (own !== undefined && fs.realpathSync(own) === folder) {
          file.children.forEach((item) => {
            if (item.label === title) {
              found.push(item);
            }
          });
        }
      });
      await runTests(controller, new TestRunRequest(found), new CancellationTokenSource().token, true);
    },
  };
}

async function readFile(controller: TestController, uri: Uri): Promise<void> {
  let text: string;
  try {
    text = Buffer.from(await workspace.fs.readFile(uri)).toString("utf8");
  } catch {
    controller.items.delete(uri.toString()); // gone again
    return;
  }
  const file = controller.createTestItem(uri.toString(), path.basename(uri.fsPath), uri);
  text.split("\n").forEach((line, number) => {
    const found = /^test "((?:[^"\\]|\\.)*)"/.exec(line);
    if (found !== null) {
      const item = controller.createTestItem(`${uri.toString()}#${found[1]}`, found[1], uri);
      item.range = new Range(new Position(number, 0), new Position(number, line.length));
      file.children.add(item);
    }
  });
  if (file.children.size > 0) {
    controller.items.add(file);
  } else {
    controller.items.delete(uri.toString());
  }
}

async function runTests(
  controller: TestController,
  asked: TestRunRequest,
  token: CancellationToken,
  traced: boolean,
): Promise<void> {
  const running = controller.createTestRun(asked);
  const files = new Map<string, TestItem[]>();
  const add = (item: TestItem): void => {
    if (item.children.size > 0) {
      item.children.forEach(add);
    } else if (item.uri !== undefined && !(asked.exclude ?? []).includes(item)) {
      files.set(item.uri.fsPath, [...(files.get(item.uri.fsPath) ?? []), item]);
      running.enqueued(item);
    }
  };
  if (asked.include === undefined) {
    controller.items.forEach(add);
  } else {
    asked.include.forEach(add);
  }
  for (const [file, items] of files) {
    const at = ready(packageFolder(Uri.file(file)));
    if (at === undefined || token.isCancellationRequested) {
      break;
    }
    items.forEach((item) => running.started(item));
    const only = items.length === 1 ? ["-k", items[0].label] : [];
    const done = await run(["test", file, "--json", ...only], at, (kill) => token.onCancellationRequested(kill));
    let failed: Failed[] | undefined;
    try {
      failed = (JSON.parse(done.out) as { failed: Failed[] }).failed;
    } catch {
      failed = undefined;
    }
    running.appendOutput((done.err || "").replace(/\r?\n/g, "\r\n"));
    for (const item of items) {
      const bad = failed?.find((each) => each.name === item.label);
      if (failed === undefined || done.code > 1) {
        running.errored(item, new TestMessage(done.err || "tale test did not run"));
      } else if (bad === undefined) {
        running.passed(item);
      } else {
        const trace = (bad.trace ?? []).join("\n");
        const message = new TestMessage(traced && trace !== "" ? `${bad.message}\n\n${trace}` : bad.message);
        message.location = new Location(item.uri as Uri, new Position(Math.max(0, bad.line - 1), 0));
        running.failed(item, message);
        if (traced) {
          running.appendOutput(`${bad.name}\r\n${trace.replace(/\n/g, "\r\n")}\r\n`, message.location, item);
        }
      }
    }
  }
  running.end();
}
