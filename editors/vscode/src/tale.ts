import * as cp from "child_process";
import * as fs from "fs";
import * as path from "path";
import {
  ProcessExecution,
  Task,
  TaskPanelKind,
  TaskRevealKind,
  tasks,
  TaskScope,
  Uri,
  window,
  workspace,
} from "vscode";

/** The `tale` program: as configured, of a `.venv` in an open folder, or on the PATH. */
export function findTale(): string | undefined {
  const configured = workspace.getConfiguration("tale").get<string>("command", "").trim();
  if (configured !== "") {
    return configured;
  }
  const windows = process.platform === "win32";
  const name = windows ? "tale.exe" : "tale";
  const own = (workspace.workspaceFolders ?? []).map((folder) =>
    path.join(folder.uri.fsPath, ".venv", windows ? "Scripts" : "bin", name),
  );
  const onPath = (process.env.PATH ?? "").split(path.delimiter).map((folder) => path.join(folder, name));
  // A workspace that is not trusted does not get to say which program runs.
  return [...(workspace.isTrusted ? own : []), ...onPath].find((candidate) => fs.existsSync(candidate));
}

/** The same, with a word to the author when it is missing. */
export function needTale(): string | undefined {
  const command = findTale();
  if (command === undefined) {
    const how = "Tale was not found. From the folder of its clone run: pipx install '.[editor]'; or set tale.command.";
    void window.showWarningMessage(how);
  }
  return command;
}

/** The folder with the `tale.toml` above a file, or that of the file in front. */
export function packageFolder(file: Uri | undefined = window.activeTextEditor?.document.uri): string | undefined {
  let folder = file?.scheme === "file" ? path.dirname(file.fsPath) : workspace.workspaceFolders?.[0]?.uri.fsPath;
  while (folder !== undefined) {
    if (fs.existsSync(path.join(folder, "tale.toml"))) {
      return folder;
    }
    const above = path.dirname(folder);
    folder = above === folder ? undefined : above;
  }
  return undefined;
}

/** Folder and program for a command; undefined, with a word to the author, when one of them is missing. */
export function ready(folder: string | undefined = packageFolder()): { command: string; folder: string } | undefined {
  if (folder === undefined) {
    void window.showWarningMessage("Open a file of a package first: a folder with a tale.toml.");
    return undefined;
  }
  const command = needTale();
  return command === undefined ? undefined : { command, folder };
}

/** Runs `tale` where the author sees it, as a task: a terminal would close as soon as the program ends well. */
export async function runInTerminal(args: string[], folder?: string): Promise<void> {
  const at = ready(folder);
  if (at === undefined) {
    return;
  }
  const execution = new ProcessExecution(at.command, args, { cwd: at.folder });
  const task = new Task({ type: "tale", args, folder: at.folder }, TaskScope.Workspace, args[0], "tale", execution);
  task.presentationOptions = {
    reveal: TaskRevealKind.Always,
    panel: TaskPanelKind.Dedicated,
    focus: args[0] === "play",
    clear: true,
  };
  await tasks.executeTask(task);
}

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs `tale` to its end and gives what it wrote; `stop` ends it before. */
export function run(
  args: string[],
  at: { command: string; folder: string },
  stop?: (kill: () => void) => void,
  line?: (text: string) => void,
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = cp.spawn(at.command, args, { cwd: at.folder });
    let out = "";
    let err = "";
    stop?.(() => child.kill("SIGINT"));
    child.stdout.on("data", (data: Buffer) => (out += data.toString()));
    child.stderr.on("data", (data: Buffer) => {
      err += data.toString();
      line?.(err.split(/[\r\n]+/).filter((each) => each.trim() !== "").pop() ?? "");
    });
    child.on("error", (problem) => resolve({ code: 2, out, err: String(problem) }));
    child.on("close", (code) => resolve({ code: code ?? 2, out, err }));
  });
}
