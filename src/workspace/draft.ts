import { accessSync, constants } from "node:fs";
import { Failure } from "../failure/failure.ts";
import type { Jail } from "./jail.ts";
import { hashOf } from "./node.ts";
import { osFailure } from "./os-failure.ts";
import { isWithin, parentOf, refused } from "./path.ts";
import type { Simulation, Spot } from "./simulation.ts";
import { type Step, StepList } from "./step.ts";
import type { FileOperation } from "./workspace.ts";

type Write = Extract<FileOperation, { op: "write" }>;
type Move = Extract<FileOperation, { op: "move" }>;

/**
 * Turns operations into steps in order; each sees the tree as the previous ones leave it. Invalid operations are
 * refused here, before anything is changed.
 */
export class Draft {
  readonly #list = new StepList();
  readonly steps = this.#list.steps;
  /** Contents to be written, by hash. */
  readonly contents = new Map<string, Uint8Array>();
  readonly #jail: Jail;
  readonly #simulation: Simulation;
  readonly #copyMoves: boolean;

  /** With `copyMoves`, a move copies and then removes the source, for directories on different file systems. */
  constructor(jail: Jail, simulation: Simulation, copyMoves: boolean) {
    this.#jail = jail;
    this.#simulation = simulation;
    this.#copyMoves = copyMoves;
  }

  async add(operation: FileOperation): Promise<void> {
    switch (operation.op) {
      case "write":
        return this.#write(operation);
      case "delete":
        return this.#delete(operation.path, operation.recursive ?? false);
      case "move":
        return this.#move(operation);
      case "link":
        return this.#link(operation.path, operation.target, operation.createDirs ?? false);
      case "mkdir":
        return this.#mkdir(operation.path);
    }
  }

  async #write({ path, bytes, mode, createDirs, mustBe }: Write): Promise<void> {
    const spot = await this.#simulation.resolve(path, true);
    if (spot.type === "directory")
      throw refused(`\`${path}\` is a directory; a file cannot be written over it. Choose a path inside it.`);
    if (spot.type === "other")
      throw refused(`\`${path}\` is not a regular file and cannot be written. Choose another path.`);
    if (mustBe === "new" && spot.type !== null)
      throw exists(path, "Edit it instead, or choose another path.");
    if (mustBe === "existing" && spot.type === null) throw notFound(path, "Create it as a new file instead.");
    if (spot.type !== null) this.#mustBeWritable(spot.path);
    await this.#makeParents(spot, path, createDirs ?? false);

    const before = await this.#simulation.stateAt(spot.path);
    const kept = before?.type === "file" ? before.mode : 0o644 & ~process.umask();
    const hash = hashOf(bytes);
    this.contents.set(hash, bytes);
    const after = { type: "file" as const, mode: (mode ?? kept) & 0o777, hash, size: bytes.length };
    await this.#take({ path: spot.path, before, after });
  }

  async #delete(path: string, recursive: boolean): Promise<void> {
    const spot = await this.#existing(path);
    const before = await this.#simulation.stateAt(spot.path);
    if (before?.type === "directory" && before.children.length > 0 && !recursive) {
      const held = `${before.children.length} ${before.children.length === 1 ? "entry" : "entries"}`;
      throw new Failure(
        "INVALID_INPUT",
        `\`${path}\` is a directory with ${held}. Set \`recursive\` to delete it with its contents.`,
      );
    }
    await this.#take({ path: spot.path, before, after: null });
  }

  async #move({ from, to, overwrite, createDirs }: Move): Promise<void> {
    const source = await this.#existing(from);
    const target = await this.#simulation.resolve(to, false);
    if (target.path === source.path)
      throw new Failure(
        "INVALID_INPUT",
        `\`${from}\` and \`${to}\` are the same place. Give a different target.`,
      );
    if (isWithin(target.path, source.path))
      throw refused(`\`${to}\` lies inside \`${from}\`; a directory cannot be moved into itself.`);
    if (target.type === "directory")
      throw exists(to, "It is a directory: give the full new path, with the name.");
    if (target.type !== null && source.type === "directory")
      throw exists(to, "A directory cannot replace a file.");
    if (target.type !== null && !overwrite)
      throw exists(to, "Set `overwrite` to replace it, or choose another path.");
    await this.#makeParents(target, to, createDirs ?? false);

    const replaced = await this.#simulation.stateAt(target.path);
    if (this.#copyMoves) {
      const moved = await this.#simulation.stateAt(source.path);
      await this.#take({ path: target.path, before: replaced, after: moved });
      await this.#take({ path: source.path, before: moved, after: null });
      return;
    }
    const moved = await this.#simulation.captureShallow(source.path);
    if (moved) await this.#take({ from: source.path, to: target.path, moved, replaced });
  }

  async #link(path: string, target: string, createDirs: boolean): Promise<void> {
    const spot = await this.#simulation.resolve(path, false);
    if (spot.type === "directory") throw exists(path, "It is a directory; choose another path for the link.");
    if (target === "" || target.includes("\0"))
      throw new Failure("INVALID_INPUT", "The target of a link must not be empty or contain a NUL byte.");
    await this.#makeParents(spot, path, createDirs);
    const before = await this.#simulation.stateAt(spot.path);
    await this.#take({ path: spot.path, before, after: { type: "symlink", target } });
    // Resolved like any symlink: fails if it leads outside the workspace.
    await this.#simulation.resolve(spot.path, true);
  }

  async #mkdir(path: string): Promise<void> {
    const spot = await this.#simulation.resolve(path, true);
    if (spot.type === "directory") return;
    if (spot.type !== null) throw exists(path, "It is not a directory. Choose another path.");
    await this.#makeParents(spot, path, true);
    await this.#makeDirectory(spot.path);
  }

  async #makeParents(spot: Spot, path: string, allowed: boolean): Promise<void> {
    const [first] = spot.missing;
    if (first !== undefined && !allowed) {
      throw notFound(
        parentOf(path),
        `The directory \`${first}\` must exist first: set \`createDirs\`, or check the path.`,
      );
    }
    for (const missing of spot.missing) await this.#makeDirectory(missing);
  }

  async #makeDirectory(path: string): Promise<void> {
    await this.#take({
      path,
      before: null,
      after: { type: "directory", mode: 0o777 & ~process.umask(), children: [] },
    });
  }

  async #existing(path: string): Promise<Spot> {
    const spot = await this.#simulation.resolve(path, false);
    if (spot.path === ".")
      throw refused("The workspace root itself cannot be moved or deleted. Name what is inside it.");
    // The jail's error suggests similar names.
    if (spot.type === null) this.#jail.find(path)[Symbol.dispose]();
    if (spot.type === null) throw notFound(path, "List its directory to see what is there.");
    return spot;
  }

  /** The system allows replacing a read-only file; checking its permission first protects such files. */
  #mustBeWritable(path: string): void {
    try {
      using place = this.#simulation.places.findExact(path);
      if (place) accessSync(place.directory.at(place.name), constants.W_OK);
    } catch (error) {
      const failure = osFailure(error, path);
      if (failure instanceof Failure && failure.code === "FILE_NOT_FOUND") return;
      throw failure;
    }
  }

  async #take(step: Step): Promise<void> {
    await this.#simulation.take(step);
    this.#list.add(step);
  }
}

function exists(path: string, advice: string): Failure {
  return new Failure("CONFLICT", `\`${path}\` already exists. ${advice}`);
}

function notFound(path: string, advice: string): Failure {
  return new Failure("FILE_NOT_FOUND", `\`${path}\` does not exist. ${advice}`);
}
