/**
 * What is costly to make and the same for several files of tests, in a folder that lives as long as the run: the whole
 * one of `deno task test`, or that of a file which is run by itself. So nothing of it is ever older than the sources.
 *
 * @module
 */

const given = Deno.env.get("REJOIN_SHARED");
const FOLDER = given ?? await Deno.makeTempDir({ prefix: "rejoin-" });
if (given === undefined) globalThis.addEventListener("unload", () => Deno.removeSync(FOLDER, { recursive: true }));

/**
 * Gives a file or folder that is made by who needs it first; the others wait for it.
 *
 * @param name Its name.
 * @param make Makes it at the path that it is given. Where that fails, the next one tries again.
 * @returns Where it is.
 */
export async function shared(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = `${FOLDER}/${name}`;
  // Files of tests run beside each other: closing gives the lock back, also when a test breaks off.
  using lock = await Deno.open(`${path}.lock`, { create: true, write: true });
  await lock.lock(true);
  const isMade = await Deno.stat(path).then(() => true, () => false);
  if (isMade) return path;
  const unfinished = `${path}.unfinished`;
  await Deno.remove(unfinished, { recursive: true }).catch(() => {});
  await make(unfinished);
  await Deno.rename(unfinished, path);
  return path;
}
