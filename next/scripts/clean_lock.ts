/**
 * Takes the addresses of registries out of deno.lock: `deno task lock`. A registry that stands in for npm's writes its
 * own host into every entry; without it the entry means the same package, wherever it is installed from.
 *
 * @module
 */

/** The text of a deno.lock without the addresses that its packages came from, otherwise unchanged. */
export function cleanLock(text: string): string {
  return text
    .replaceAll(/,\s*"tarball":\s*"[^"]*"/g, "")
    .replaceAll(/"tarball":\s*"[^"]*",?\s*/g, "");
}

if (import.meta.main) {
  const path = new URL("../deno.lock", import.meta.url);
  await Deno.writeTextFile(path, cleanLock(await Deno.readTextFile(path)));
}
