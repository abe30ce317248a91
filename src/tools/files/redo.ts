import { reversalTool } from "./reversal.ts";

export const redo = reversalTool("redo", {
  title: "Redo",
  description:
    "Make a change again that was undone (the last one, several, or one by its id). A person is asked first.",
  brief: "Make a change again that was undone.",
  done: "Redid",
});
