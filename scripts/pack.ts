/**
 * Packs the npm package without network: `deno task pack`. `deno pack` makes all imports dependencies and writes types
 * for `import` only. As in the release build, this turns packages of which an app must have one copy into peers, adds
 * the `production` form of `.`, and adds types for `require`.
 *
 * @module
 */
import { COMMONJS_TYPES, type PackageJson, packedPackage, packedReadme } from "./npm_package.ts";

const ROOT = decodeURIComponent(new URL("../", import.meta.url).pathname);
const BLOCK = 512;

/**
 * Makes the tarball of the package.
 *
 * @param output The path of the tarball.
 */
export async function pack(output: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["pack", "--no-source-maps", "--allow-dirty", "--output", output],
    cwd: ROOT,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`deno pack: ${new TextDecoder().decode(stderr)}`);
  const tar = await through([await Deno.readFile(output)], new DecompressionStream("gzip"));
  await Deno.writeFile(output, await through(repack(tar), new CompressionStream("gzip")));
}

async function through(
  parts: Uint8Array<ArrayBuffer>[],
  stream: DecompressionStream | CompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  return await new Response(new Blob(parts).stream().pipeThrough(stream)).bytes();
}

/** One file of a tar: its header of 512 bytes, and its content. */
interface Entry {
  readonly name: string;
  readonly header: Uint8Array;
  readonly content: Uint8Array;
}

/** Reads a tar: headers, each followed by a file that is padded to a multiple of 512 bytes. */
function* entriesOf(tar: Uint8Array): Generator<Entry> {
  const text = (from: number, length: number): string =>
    new TextDecoder().decode(tar.subarray(from, from + length)).replace(/\0.*$/s, "");
  for (let at = 0; at < tar.length;) {
    const size = parseInt(text(at + 124, 12), 8) || 0;
    const from = at + BLOCK;
    const name = text(at, 100);
    if (name !== "") yield { name, header: tar.subarray(at, from), content: tar.subarray(from, from + size) };
    at = from + Math.ceil(size / BLOCK) * BLOCK;
  }
}

/** The tar with our package.json, and with a second copy of the declarations for `require`. */
function repack(tar: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const files: Uint8Array<ArrayBuffer>[] = [];
  let isDescribed = false;
  for (const { name, header, content } of entriesOf(tar)) {
    if (name === "package/package.json") {
      isDescribed = true;
      const given = JSON.parse(new TextDecoder().decode(content)) as PackageJson;
      files.push(fileOf(header, name, JSON.stringify(packedPackage(given), null, 2)));
      files.push(fileOf(header, `package/${COMMONJS_TYPES}/package.json`, JSON.stringify({ type: "commonjs" })));
    } else if (name === "package/README.md") {
      files.push(fileOf(header, name, packedReadme(new TextDecoder().decode(content))));
    } else {
      files.push(fileOf(header, name, content));
      if (!name.endsWith(".d.ts")) continue;
      files.push(fileOf(header, name.replace("package/", `package/${COMMONJS_TYPES}/`), content));
    }
  }
  if (!isDescribed) throw new Error("deno pack: there is no package.json in the tarball");
  // A tar ends with two empty blocks.
  return [...files, new Uint8Array(2 * BLOCK)];
}

/** Makes a file of a tar, with a header copied from another file. */
function fileOf(like: Uint8Array, name: string, content: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const file = new Uint8Array(BLOCK + Math.ceil(bytes.length / BLOCK) * BLOCK);
  file.set(like);
  file.set(bytes, BLOCK);
  const write = (text: string, at: number): void => file.set(new TextEncoder().encode(text), at);
  write(name.padEnd(100, "\0"), 0);
  write(`${bytes.length.toString(8).padStart(11, "0")} `, 124);
  // The checksum is computed with spaces in its own field.
  write(" ".repeat(8), 148);
  const sum = file.subarray(0, BLOCK).reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return file;
}

if (import.meta.main) {
  const [output = `${ROOT}dist/rejoin-data.tgz`] = Deno.args;
  await Deno.mkdir(new URL(".", `file://${output}`), { recursive: true });
  await pack(output);
  console.log(output);
}
