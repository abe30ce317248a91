import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { Stream } from "./server/stream.ts";
import { enter, takeToken } from "./server/token.ts";
import { StreamContext } from "./server/use-server.ts";
import { applyTheme } from "./settings/theme.ts";
import "./styles/fonts.css";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/chat.css";
import "./styles/pages.css";
import "./styles/documents.css";

applyTheme();
// The content security policy forbids code generation: zod must not try.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
// No top-level await: other chunks could not share this module.
void takeToken().then(enter).then(start);

function start(): void {
  // A new address in an open tab: start again.
  addEventListener("hashchange", async () => {
    if (await takeToken()) location.reload();
  });
  const root = document.getElementById("root");
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <StreamContext value={new Stream()}>
        <App />
      </StreamContext>
    </StrictMode>,
  );
}
