import * as fs from "fs";
import * as path from "path";
import { commands, ExtensionContext, Uri, window, workspace } from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand("tale.lint", () => runInTerminal("lint")),
    commands.registerCommand("tale.test", () => runInTerminal("test")),
    commands.registerCommand("tale.play", () => runInTerminal("play")),
    commands.registerCommand("tale.playtest", () => runInTerminal("playtest")),
    commands.registerCommand("tale.restart", restart),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

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

async function start(): Promise<void> {
  const command = findTale();
  if (command === undefined) {
    const how = "Tale was not found. Install it with: pip install 'talewright[editor]', or set tale.command.";
    void window.showWarningMessage(how);
    return;
  }
  const server: ServerOptions = { command, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "tale" },
      { scheme: "file", pattern: "**/tale.toml" },
    ],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/{*.tale,tale.toml}") },
  };
  client = new LanguageClient("tale", "Tale", server, options);
  try {
    await client.start();
  } catch (problem) {
    client = undefined;
    void window.showErrorMessage(
      `The language server did not start (${String(problem)}). Is the extra there? pip install 'talewright[editor]'`,
    );
  }
}

async function restart(): Promise<void> {
  await client?.stop();
  client = undefined;
  await start();
}

/** Runs a command of `tale` on the package of the file in front, where the author sees it. */
function runInTerminal(verb: string): void {
  const command = findTale();
  const folder = packageFolder(window.activeTextEditor?.document.uri);
  if (command === undefined || folder === undefined) {
    void window.showWarningMessage("Open a file of a package first: a folder with a tale.toml.");
    return;
  }
  const terminal = window.createTerminal({ name: `tale ${verb}`, cwd: folder, shellPath: command, shellArgs: [verb, "."] });
  terminal.show();
}

function packageFolder(file: Uri | undefined): string | undefined {
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
