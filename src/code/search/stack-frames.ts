/** What a stack trace in Python and in IPython looks like, which ends where it happened; and in other languages, which begins there. */
const endingFrames = /File "([^"\n]+)", line \d+|^(?:File )?([\w~@./\\:-]+\.py)(?::\d+,)? in [^\n]*\(/gm;
const beginningFrames = /^\s*(?:(?:at|from)\s[^\n]*?)?\(?([\w@./\\-]+\.\w{1,4}):\d+/gm;

/** The files that the stack traces of a text name, where it happened first. */
export function framesIn(text: string): string[] {
  const ending = [...text.matchAll(endingFrames)].reverse();
  return [...ending, ...text.matchAll(beginningFrames)].map(([, path, other = ""]) =>
    (path ?? other).replaceAll("\\", "/"),
  );
}

/** What a frame counts, compared with the one that it called. */
const ofCaller = 0.8;
/** Where installed packages keep what repositories have below these folders. */
const sourceFolders = ["", "src/", "lib/"];

/** Files of frames → how near they are to where it happened, 1 for the nearest one. */
export function filesOfFrames(
  frames: readonly string[],
  isFile: (path: string) => boolean,
): Map<string, number> {
  const found = new Map<string, number>();
  for (const frame of frames) {
    const file = fileOf(frame, isFile);
    if (file !== undefined && !found.has(file)) found.set(file, ofCaller ** found.size);
  }
  return found;
}

/** A file of the project that a path on another machine ends with. A name alone may be that of many files. */
function fileOf(frame: string, isFile: (path: string) => boolean): string | undefined {
  const parts = frame.split("/");
  for (let first = 0; first < parts.length; first++) {
    const end = parts.slice(first).join("/");
    const file = sourceFolders
      .map((folder) => folder + end)
      .find((path) => path.includes("/") && isFile(path));
    if (file !== undefined) return file;
  }
  return undefined;
}
