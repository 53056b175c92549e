/**
 * Files that are costly to make and that several tests use. They are in a folder that exists for one run, of `deno task
 * test` or of a single test file, so they are never older than the sources.
 *
 * @module
 */

const given = Deno.env.get("REJOIN_SHARED");
const FOLDER = given ?? await Deno.makeTempDir({ prefix: "rejoin-" });
if (given === undefined) globalThis.addEventListener("unload", () => Deno.removeSync(FOLDER, { recursive: true }));

/** Makes a file or folder once, and returns its path. The others wait for the first caller; if it fails, one tries. */
export async function shared(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = `${FOLDER}/${name}`;
  // Test files run in parallel. Closing the file releases the lock, also if a test is interrupted.
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
