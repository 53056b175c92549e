/**
 * Peers that are no development dependencies. They are installed into a temporary folder when they are measured.
 *
 * @module
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Versions that work together, and that every registry has. */
export const PEERS = {
  "@data-client/core": "0.10",
  "@data-client/react": "0.10",
  "@data-client/rest": "0.9",
  "@tanstack/preact-query": "5",
};

/** Installs the peers. Without a network, or if the registry lacks a package, the folder stays empty. */
export async function installPeers(folder: string): Promise<void> {
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, dependencies: PEERS }));
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["install", "--quiet"],
    cwd: folder,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) console.error(`Some peers cannot be installed here:\n${new TextDecoder().decode(stderr).trim()}`);
}

/** The version of a package in a folder; `undefined` if it is not installed. */
export async function versionOf(name: string, folder: string): Promise<string | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, "node_modules", name, "package.json"), "utf8")).version;
  } catch {
    return undefined;
  }
}
