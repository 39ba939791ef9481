import * as fs from "fs";
import * as os from "os";
import * as path from "path";
import { ExtensionContext, ProgressLocation, ViewColumn, WebviewPanel, window, workspace } from "vscode";
import { packageFolder, ready, run } from "./tale";

// Pages of ours hold all they need; nothing may be fetched from elsewhere.
const POLICY =
  "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">";

/** The story graph beside the text; drawn anew when a file of the package is saved. */
export async function showGraph(context: ExtensionContext): Promise<void> {
  const at = ready();
  if (at === undefined) {
    return;
  }
  const panel = window.createWebviewPanel("tale.graph", "Story graph", ViewColumn.Beside, {});
  let open = true;
  panel.onDidDispose(() => (open = false));
  const draw = async (): Promise<void> => {
    const done = await run(["graph", ".", "--format", "svg"], at);
    if (!open) {
      return;
    }
    panel.webview.html = page(done.code === 0 ? done.out : `<pre>${escaped(done.err)}</pre>`);
  };
  updateOnSave(context, panel, at.folder, draw);
  await draw();
}

/** A playtest with progress; its report opens beside the text, and is played anew on save when asked for. */
export async function playtest(
  context: ExtensionContext,
  played: () => void,
  folder?: string,
  chapter?: string,
): Promise<void> {
  const at = ready(folder);
  if (at === undefined) {
    return;
  }
  const games = workspace.getConfiguration("tale").get<number>("playtest.games", 500);
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), "tale-"));
  const report = path.join(temporary, "report.html");
  const args = ["playtest", ".", "--games", String(games), "--report", report, ...(chapter ? ["--chapter", chapter] : [])];
  let panel: WebviewPanel | undefined;
  let closed = false;
  const play = async (): Promise<void> => {
    const title = `Playtest${chapter ? ` from ${chapter}` : ""}: ${games} games`;
    const options = { location: ProgressLocation.Notification, title, cancellable: true };
    const done = await window.withProgress(options, (progress, token) =>
      run(args, at, (kill) => token.onCancellationRequested(kill), (message) => progress.report({ message })),
    );
    if (closed) {
      return;
    }
    played();
    if (!fs.existsSync(report)) {
      const said = done.err.trim().split("\n");
      void window.showErrorMessage(said.find((line) => line.startsWith("error")) ?? said.pop() ?? "The playtest did not run.");
      return;
    }
    if (panel === undefined) {
      panel = window.createWebviewPanel("tale.report", "Playtest", ViewColumn.Beside, { enableScripts: true });
      panel.onDidDispose(() => {
        closed = true;
        fs.rmSync(temporary, { recursive: true, force: true });
      });
      if (workspace.getConfiguration("tale").get<boolean>("playtest.onSave", true)) {
        updateOnSave(context, panel, at.folder, play);
      }
    }
    panel.webview.html = fs.readFileSync(report, "utf8").replace(/<head>/i, `<head>${POLICY}`);
  };
  await play();
  if (panel === undefined) {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

function updateOnSave(context: ExtensionContext, panel: WebviewPanel, folder: string, update: () => Promise<void>): void {
  let busy = false;
  let again = false;
  const listening = workspace.onDidSaveTextDocument(async (document) => {
    if (packageFolder(document.uri) !== folder) {
      return;
    }
    again = true;
    if (busy) {
      return; // What was saved meanwhile is shown when the update at hand is done.
    }
    busy = true;
    try {
      while (again) {
        again = false;
        await update();
      }
    } finally {
      busy = false;
    }
  });
  panel.onDidDispose(() => listening.dispose());
  context.subscriptions.push(listening);
}

function page(body: string): string {
  return `<!DOCTYPE html><html><head>${POLICY}<style>body{background:white;color:black}svg{max-width:100%;height:auto}</style></head><body>${body}</body></html>`;
}

function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}
