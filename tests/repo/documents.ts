/**
 * The documents of the repository.
 *
 * @module
 */
import { ROOT } from "./module_graph.ts";

export { ROOT };

/** The paths of the documents in the root of the repository and in `docs/` with its folders. */
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
