import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { Stream } from "./server/stream.ts";
import { takeToken } from "./server/token.ts";
import { StreamContext } from "./server/use-server.ts";
import { applyTheme } from "./settings/theme.ts";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/chat.css";
import "./styles/pages.css";

applyTheme();
// The page's policy forbids code made at run time: zod, which comes with the chat, need not even try.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
// No await out here: the other parts of the page could then not share this one's code.
void takeToken().then(start);

function start(): void {
  // A new address in an old tab: everything begins anew.
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
