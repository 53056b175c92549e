/**
 * A folder with what `npm install` brings: the packed package, Preact, Vite and TypeScript, for apps that are built from it as
 * a user builds them.
 *
 * @module
 */
import { assert } from "@std/assert";
import { pack } from "../../scripts/pack.ts";

/** What an app needs beside us; Vite 8 is refused by registries that hold back what is new. */
const PACKAGES = ["preact@^11", "@preact/signals@^2", "vite@7", "typescript@^6", "vitest@3", "happy-dom@^20"];

/** A project, with nothing in it yet but `node_modules`; `await using` removes it. */
export class ViteProject implements AsyncDisposable {
  private constructor(readonly folder: string) {}

  /**
   * Packs and installs.
   *
   * @param packages What else is to be installed.
   * @throws {Error} If npm is not there, or cannot install it: an app that nobody could build is not tested.
   */
  static async install(...packages: readonly string[]): Promise<ViteProject> {
    const project = new ViteProject(await Deno.makeTempDir({ prefix: "app-" }));
    const tarball = `${project.folder}/rejoin-data.tgz`;
    await pack(tarball);
    await project.write("package.json", JSON.stringify({ name: "app", private: true, type: "module" }));
    // What a registry has sent once is not asked for again.
    const options = ["--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline", "--loglevel=error"];
    await project.run("npm", "install", ...options, tarball, ...PACKAGES, ...packages);
    return project;
  }

  /** Writes one file. */
  async write(path: string, text: string): Promise<void> {
    const folder = `${this.folder}/${path}`.replace(/\/[^/]*$/, "");
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(`${this.folder}/${path}`, text);
  }

  /** Copies a folder of the repository into the project. */
  async copy(from: string, to: string): Promise<void> {
    for await (const { name, isDirectory } of Deno.readDir(from)) {
      if (isDirectory) await this.copy(`${from}/${name}`, `${to}/${name}`);
      else await this.write(`${to}/${name}`, await Deno.readTextFile(`${from}/${name}`));
    }
  }

  /** Types, then bundle: `vite build` in a folder of the project. Gives the folder of what was built. */
  async build(app: string): Promise<string> {
    const modules = `${this.folder}/node_modules`;
    await Promise.all([
      this.run("node", `${modules}/typescript/bin/tsc`, "--project", `${app}/tsconfig.json`),
      this.run("node", `${modules}/vite/bin/vite.js`, "build", app, "--logLevel", "warn"),
    ]);
    return `${this.folder}/${app}/dist`;
  }

  /** Runs a program in the project, and fails with what it printed when it fails. */
  async run(program: string, ...args: readonly string[]): Promise<string> {
    const command = new Deno.Command(program, { args: [...args], cwd: this.folder, env: { NO_COLOR: "1" } });
    const { success, code, signal, stdout, stderr } = await command.output().catch((error) => {
      throw new Error(`The app cannot be built: ${program} does not start (${error.message})`, { cause: error });
    });
    const [out, err] = [new TextDecoder().decode(stdout), new TextDecoder().decode(stderr)];
    assert(success, `The app cannot be built: ${program} ${args.join(" ")} (${signal ?? code})\n${out}${err}`);
    return out;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}
