/**
 * Warnings that Node would print raw, at any moment. The running command reports those of Wield; those of Node and of
 * libraries are only useful to developers.
 */
export function onWarning(tell: (message: string) => void): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message, stack }) => {
    if (name === "Wield") tell(message);
    else if (process.env["WIELD_DEBUG"]) process.stderr.write(`${stack ?? message}\n`);
  });
}
