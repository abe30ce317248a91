import { Failure } from "../failure/failure.ts";
import type { Person } from "./people.ts";

/** Counts the open streams of each person; one beyond `most` is refused. The result of a call is called when the stream has ended. */
export function limitedStreams(most: number): (person: Pick<Person, "id">) => () => void {
  const open = new Map<string, number>();
  return ({ id }) => {
    const count = open.get(id) ?? 0;
    if (count >= most)
      throw new Failure(
        "LIMIT_EXCEEDED",
        `You have ${most} pages or streams open. Close some of them first.`,
      );
    open.set(id, count + 1);
    return () => {
      const left = (open.get(id) ?? 1) - 1;
      if (left === 0) open.delete(id);
      else open.set(id, left);
    };
  };
}
