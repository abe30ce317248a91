import { send } from "./api.ts";

/** Goes to the page of another folder, at this place of it; the address holds for seconds. */
export async function openFolder(folder: string, to = ""): Promise<void> {
  const { address } = await send<{ address: string }>("/folders", { folder });
  location.assign(to === "" ? address : `${address}&to=${encodeURIComponent(to)}`);
}
