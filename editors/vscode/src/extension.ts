import { commands, ExtensionContext, window, workspace } from "vscode";
import { CodeLensRequest, LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { needTale, runInTerminal } from "./tale";
import { exploreTests } from "./tests";
import { playtest, showGraph } from "./views";

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const explorer = exploreTests(context);
  context.subscriptions.push(
    commands.registerCommand("tale.lint", () => runInTerminal(["lint", "."])),
    commands.registerCommand("tale.test", () => runInTerminal(["test", "."])),
    commands.registerCommand("tale.play", () => runInTerminal(["play", "."])),
    commands.registerCommand("tale.watch", () => runInTerminal(["watch", "."])),
    commands.registerCommand("tale.playtest", () => playtest(context, refreshLenses)),
    commands.registerCommand("tale.graph", () => showGraph(context)),
    commands.registerCommand("tale.restart", restart),
    // Behind the lenses of the language server.
    commands.registerCommand("tale.runTest", (folder: string, title: string) =>
      runInTerminal(["test", ".", "-k", title], folder),
    ),
    commands.registerCommand("tale.traceTest", (folder: string, title: string) => explorer.trace(folder, title)),
    commands.registerCommand("tale.playChapter", (folder: string, id: string) =>
      runInTerminal(["play", ".", "--chapter", id], folder),
    ),
    commands.registerCommand("tale.playtestChapter", (folder: string, id: string) =>
      playtest(context, refreshLenses, folder, id),
    ),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

async function start(): Promise<void> {
  const command = needTale();
  if (command === undefined) {
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
      `The language server did not start (${String(problem)}). Is the extra there? From the folder of Talewright's clone: pipx install --force '.[editor]'`,
    );
  }
}

/** The lenses tell what the last playtest knew: they are asked for again after one. */
function refreshLenses(): void {
  const feature = client?.getFeature(CodeLensRequest.method);
  for (const document of workspace.textDocuments) {
    feature?.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
  }
}

async function restart(): Promise<void> {
  await client?.stop();
  client = undefined;
  await start();
}
