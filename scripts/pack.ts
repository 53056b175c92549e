/**
 * Packs the npm package without network: `deno task pack`. `deno pack` makes dependencies of all that is imported;
 * here those of which an app must have one copy become its peers, and `.` has its production form, as in the release build.
 *
 * @module
 */
import { type PackageJson, withPeers, withProduction } from "./npm_package.ts";

const ROOT = decodeURIComponent(new URL("../", import.meta.url).pathname);
const BLOCK = 512;

/**
 * Makes the tarball of the package.
 *
 * @param output Where to put it.
 */
export async function pack(output: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["pack", "--no-source-maps", "--allow-dirty", "--output", output],
    cwd: ROOT,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`deno pack: ${new TextDecoder().decode(stderr)}`);
  const tar = await through(await Deno.readFile(output), new DecompressionStream("gzip"));
  await Deno.writeFile(output, await through(replacePackageJson(tar), new CompressionStream("gzip")));
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: DecompressionStream | CompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return await new Response(new Blob([bytes]).stream().pipeThrough(stream)).bytes();
}

/** A tar is a row of headers of 512 bytes, each followed by a file that is filled up to a multiple of that. */
function replacePackageJson(tar: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const text = (from: number, length: number): string =>
    new TextDecoder().decode(tar.subarray(from, from + length)).replace(/\0.*$/s, "");
  for (let at = 0; at < tar.length;) {
    const size = parseInt(text(at + 124, 12), 8) || 0;
    const next = at + BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (text(at, 100) === "package/package.json") {
      const given = JSON.parse(new TextDecoder().decode(tar.subarray(at + BLOCK, at + BLOCK + size))) as PackageJson;
      const content = new TextEncoder().encode(JSON.stringify(withProduction(withPeers(given), "."), null, 2));
      const file = new Uint8Array(BLOCK + Math.ceil(content.length / BLOCK) * BLOCK);
      file.set(tar.subarray(at, at + BLOCK));
      file.set(content, BLOCK);
      sign(file, content.length);
      return new Uint8Array([...tar.subarray(0, at), ...file, ...tar.subarray(next)]);
    }
    at = next;
  }
  throw new Error("deno pack: there is no package.json in the tarball");
}

/** Writes the size of a file, and the sum of its header, into the header. */
function sign(header: Uint8Array, size: number): void {
  const write = (text: string, at: number): void => header.set(new TextEncoder().encode(text), at);
  write(`${size.toString(8).padStart(11, "0")} `, 124);
  // While it is summed, the place of the sum holds spaces.
  write(" ".repeat(8), 148);
  const sum = header.subarray(0, BLOCK).reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
}

if (import.meta.main) {
  const [output = `${ROOT}dist/rejoin-data.tgz`] = Deno.args;
  await Deno.mkdir(new URL(".", `file://${output}`), { recursive: true });
  await pack(output);
  console.log(output);
}
