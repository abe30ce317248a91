/**
 * Warnings that Node would print raw, at any moment. Those of Wield are told by the command that runs; those of Node and of
 * libraries are for whoever develops them.
 */
export function onWarning(tell: (message: string) => void): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message, stack }) => {
    if (name === "Wield") tell(message);
    else if (process.env["WIELD_DEBUG"]) process.stderr.write(`${stack ?? message}\n`);
  });
}
