import { reversalTool } from "./reversal.ts";

export const undo = reversalTool("undo", {
  title: "Undo",
  description:
    "Take back the last change that any tool made to files (or several, or one by its id). Refused with CONFLICT when a file was changed by someone else since. A person is asked first.",
  brief: "Take back the last change of files, several (steps), or one by its id.",
  done: "Undid",
});
