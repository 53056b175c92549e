/**
 * The documents of the repository.
 *
 * @module
 */
import { ROOT } from "./module_graph.ts";

export { ROOT };

/** Paths in the repository of the documents at its top, and in `docs/` and its folders. */
export async function documents(): Promise<string[]> {
  const found: string[] = [];
  const look = async (folder: string, isDeep: boolean): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(`${ROOT}${folder}`)) {
      if (isDirectory && isDeep) await look(`${folder}${name}/`, true);
      else if (name.endsWith(".md")) found.push(folder + name);
    }
  };
  await look("", false);
  await look("docs/", true);
  return found.sort();
}
