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
await takeToken();
// A new address in an old tab: everything begins anew.
addEventListener("hashchange", async () => {
  if (await takeToken()) location.reload();
});
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <StreamContext value={new Stream()}>
        <App />
      </StreamContext>
    </StrictMode>,
  );
}
