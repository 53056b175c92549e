/**
 * Removes the addresses of registries from deno.lock: `deno task lock`. A mirror of npm's registry writes its own host
 * into every entry. Without the host an entry means the same package, wherever it is installed from.
 *
 * @module
 */

/** Returns the text of a deno.lock without the addresses of its packages, otherwise unchanged. */
export function cleanLock(text: string): string {
  return text
    .replaceAll(/,\s*"tarball":\s*"[^"]*"/g, "")
    .replaceAll(/"tarball":\s*"[^"]*",?\s*/g, "");
}

if (import.meta.main) {
  const path = new URL("../deno.lock", import.meta.url);
  await Deno.writeTextFile(path, cleanLock(await Deno.readTextFile(path)));
}
