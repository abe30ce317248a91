import { z } from "zod";
import { Failure } from "../failure/failure.ts";
import { nearestNames } from "../text/nearest.ts";
import type { Folder, FolderFile } from "../workspace/folder.ts";
import { ToolIndex } from "./tool-index.ts";

/** A folder with a SKILL.md: instructions for a kind of work, read when needed. */
export interface Skill {
  name: string;
  description: string;
  source: SkillSource;
  /** The folder of another program that it comes from. */
  from?: string;
  /** Files beside SKILL.md, relative to the skill. */
  files: string[];
}
export type SkillSource = "built-in" | "user" | "workspace";

export interface Skills {
  list(): Promise<Skill[]>;
  /** Best first. */
  search(query: string, limit: number): Promise<Skill[]>;
  /** SKILL.md without its front matter, or another file of the skill. */
  read(name: string, file?: string): Promise<{ skill: Skill; content: string }>;
  /** Folders that look like a skill but are not valid, each with the reason. */
  problems(): Promise<string[]>;
}

const frontMatter = () =>
  z.object({
    name: z
      .string()
      .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "use lower-case letters, digits and single hyphens")
      .max(64),
    description: z.string().min(1).max(1024),
  });

interface Found extends Skill {
  body: string;
  read(file: string): Promise<string>;
}

interface Loaded {
  skills: ReadonlyMap<string, Found>;
  problems: string[];
}

interface SkillPlace {
  source: SkillSource;
  folder: Folder;
  /** It belongs to another program. */
  imported?: boolean;
}

interface Listed extends SkillPlace {
  files: readonly FolderFile[];
}

/** Folders in ascending precedence: a workspace's skill replaces a built-in one of the same name. */
export function openSkills(places: () => Promise<readonly SkillPlace[]>): Skills {
  let last: { state: string; loaded: Loaded } | undefined;
  async function load(): Promise<Loaded> {
    const listed = await Promise.all(
      (await places()).map(async (place) => ({ ...place, files: await place.folder.list() })),
    );
    // Read again when a file was changed, created or removed.
    const state = JSON.stringify(listed.map(({ source, files }) => [source, files]));
    if (last?.state !== state) last = { state, loaded: await loadFrom(listed) };
    return last.loaded;
  }

  async function loadFrom(listed: readonly Listed[]): Promise<Loaded> {
    const skills = new Map<string, Found>();
    const problems: string[] = [];
    for (const { source, folder, imported, files } of listed) {
      const paths = files.map(({ path }) => path);
      for (const path of paths.filter((p) => /^[^/]+\/SKILL\.md$/.test(p))) {
        try {
          const found = await readSkill(folder, source, path, paths);
          skills.set(found.name, imported ? { ...found, from: folder.label } : found);
        } catch (error) {
          problems.push(`${folder.label}/${path}: ${(error as Error).message}`);
        }
      }
    }
    return { skills, problems };
  }

  return {
    list: async () => [...(await load()).skills.values()].map(publicPart),
    problems: async () => (await load()).problems,
    search: async (query, limit) => {
      const { skills } = await load();
      const index = new ToolIndex();
      for (const { name, description, body } of skills.values())
        index.add({ name, description, hints: body.match(/^#+ .*$/gm) ?? [] });
      return index.search(query, limit).flatMap((name) => {
        const skill = skills.get(name);
        return skill ? [publicPart(skill)] : [];
      });
    },
    read: async (name, file) => {
      const { skills } = await load();
      const skill = skills.get(name);
      if (!skill) {
        const near = nearestNames(name, skills.keys());
        const tip =
          near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "searchSkills finds one by its subject.";
        throw new Failure("FILE_NOT_FOUND", `There is no skill ${JSON.stringify(name)}. ${tip}`);
      }
      if (file === undefined || file === "SKILL.md") return { skill: publicPart(skill), content: skill.body };
      if (!skill.files.includes(file)) {
        const has =
          skill.files.length > 0 ? `It has ${skill.files.join(", ")}.` : "It has only its SKILL.md.";
        throw new Failure("FILE_NOT_FOUND", `Skill ${name} has no file ${JSON.stringify(file)}. ${has}`);
      }
      return { skill: publicPart(skill), content: await skill.read(file) };
    },
  };
}

async function readSkill(folder: Folder, source: SkillSource, path: string, paths: string[]): Promise<Found> {
  const text = await folder.read(path);
  const split = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text);
  if (!split) throw new Error("it must begin with front matter between two lines of ---");
  const { parse } = await import("yaml");
  const parsed = frontMatter().safeParse(parse(split[1] ?? ""));
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error).replaceAll("\n", " "));
  const home = path.slice(0, -"SKILL.md".length);
  return {
    ...parsed.data,
    source,
    files: paths.filter((p) => p.startsWith(home) && p !== path).map((p) => p.slice(home.length)),
    body: (split[2] ?? "").trim(),
    read: (file) => folder.read(home + file),
  };
}

function publicPart({ name, description, source, from, files }: Found): Skill {
  return { name, description, source, ...(from !== undefined && { from }), files };
}
