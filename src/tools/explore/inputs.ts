import { z } from "zod";

/** Inputs that several tools of this folder share; short, because every description is sent with every step. */
export const below = z.string().default(".").describe("Directory or file");

/** The most lines one window has; a larger wish is met with this. */
export const maxLines = 300;
export const usualLines = 100;

export const windowFields = {
  start_line: z.int().min(1).default(1),
  num_lines: z.int().min(1).optional(),
};
