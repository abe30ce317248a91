import { posix } from "node:path";
import { visibleLine } from "../text/visible.ts";
import { type Command, commonOptions, exit } from "./command.ts";
import { localTime } from "./local-time.ts";
import { openWield } from "./open.ts";
import { saveFile, savingTools } from "./save-file.ts";
import { painter } from "./terminal.ts";

/** Calls that are looked at when none is named. */
const newest = 50;

export const files: Command = {
  name: "files",
  summary: "List and save files that executeCode made",
  usage: "[call]",
  options: {
    save: { value: "FOLDER", help: "Save the files of the call into this folder of the workspace" },
    json: { help: "Print as JSON" },
    yes: { help: "Replace files without asking" },
    ...commonOptions,
  },
  examples: [
    { command: "wield files", note: "list the newest" },
    { command: "wield files c_1a2b3c4d5e --save charts", note: "save the files of one call" },
  ],
  async run(given, io) {
    const [call] = given.args;
    const folder = given.value("save");
    const wield = await openWield(given, io, folder === undefined ? [] : savingTools);
    try {
      const { store } = wield;
      const calls =
        call === undefined
          ? await store.calls({ tool: "executeCode", limit: newest })
          : await store.calls({ ids: [call] });
      const made = await store.files().list(calls.map(({ id }) => id));
      if (made.size === 0) {
        if (given.flag("json")) io.out("{}");
        io.err(call === undefined ? "No files yet." : `No files of call ${JSON.stringify(call)} are kept.`);
        return exit.failed;
      }
      if (folder === undefined) {
        const paint = painter(io);
        if (given.flag("json")) io.out(JSON.stringify(Object.fromEntries(made), null, 2));
        else
          for (const { id, at } of calls)
            for (const { name, mediaType, size } of made.get(id) ?? [])
              io.out(
                `${paint("cyan", id)}  ${localTime(at)}  ${visibleLine(name)} ${paint("dim", `${mediaType}, ${size} bytes`)}`,
              );
        return exit.ok;
      }
      for (const [id, list] of made)
        for (const [index, { name }] of list.entries()) {
          const file = await store.files().read(id, index);
          if (!file) continue;
          const ended = await saveFile(wield, posix.join(folder, name), file.bytes, io);
          if (ended !== exit.ok) return ended;
        }
      return exit.ok;
    } finally {
      await wield.close();
    }
  },
};
