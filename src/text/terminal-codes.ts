/**
 * Sequences that tell a terminal how to show text: colours and styles, moves of the cursor, hyperlinks and titles. What
 * they are put around stays.
 */
const terminalCodes =
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[()][A-Z0-9]|[=>78])/g;

/** The text as a terminal would show it: without colours, and of a line that was written over again and again, the end. */
export function withoutTerminalCodes(text: string): string {
  return text.replaceAll(terminalCodes, "").replaceAll(/[^\n]*\r(?!\n)(?=[^\n])/g, "");
}
