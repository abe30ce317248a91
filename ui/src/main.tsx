import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { Waiting } from "./locked.tsx";
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

const place = document.getElementById("root");
const root = place && createRoot(place);
applyTheme();
// The content security policy forbids code generation: zod must not try.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
// No top-level await: other chunks could not share this module.
void takeToken(showWaiting).then(enter).then(start);

function showWaiting(why: string): void {
  root?.render(<Waiting why={why} />);
}

function start(): void {
  // A new address in an open tab: start again.
  addEventListener("hashchange", async () => {
    if (await takeToken()) location.reload();
  });
  root?.render(
    <StrictMode>
      <StreamContext value={new Stream()}>
        <App />
      </StreamContext>
    </StrictMode>,
  );
}
