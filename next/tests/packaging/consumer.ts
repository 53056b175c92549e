/**
 * Folders in which apps are built and run from the packed package, as those of its users are. Above all of them stands
 * one `node_modules`, which npm has filled once in a run of the tests.
 *
 * @module
 */
import { assert } from "@std/assert";
import { pack } from "../../scripts/pack.ts";
import { shared } from "../support/shared.ts";

/** What apps need beside us. Vite 8 and Vitest 4 ask for another Node than the oldest one that the package is for. */
const PACKAGES = [
  "preact@^11",
  "@preact/signals@^2",
  "preact-render-to-string@^6",
  "typescript@^6",
  "typescript-5.4@npm:typescript@~5.4.0",
  "typescript-7@npm:typescript@^7",
  "vite@7",
  "vitest@3",
  "happy-dom@^20",
];

/** The package.json of an app. */
const APP = JSON.stringify({ private: true, type: "module" });

/** Where npm is not there, no user of it can be tested. */
export const HAS_NPM: boolean = await run(".", "npm", "--version").then(() => true, () => false);

/** Makes a folder with these packages in its `node_modules`. */
export async function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/package.json`, APP);
  // What a registry has sent once is not asked for again.
  const options = ["--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline", "--loglevel=error"];
  await run(folder, "npm", "install", ...options, ...packages);
}

/** A folder of its own below the `node_modules` of all. */
export class Consumer {
  private constructor(
    /** Where it is. */
    readonly folder: string,
    /** The `node_modules` that its modules are found in. */
    readonly modules: string,
  ) {}

  /**
   * Makes a folder, after packing and installing where nobody has.
   *
   * @param name Its name, which no other one has.
   * @throws {Error} If npm is not there, or cannot install: an app that nobody could build is not tested.
   */
  static async open(name: string): Promise<Consumer> {
    return await Consumer.#below("consumers", name, PACKAGES);
  }

  /**
   * The same with a `node_modules` of its own, which has nothing but the package and what is named.
   *
   * @param name Its name, which no other one has.
   * @param packages What is installed beside us.
   */
  static async alone(name: string, ...packages: readonly string[]): Promise<Consumer> {
    return await Consumer.#below(name, "app", packages);
  }

  static async #below(installation: string, name: string, packages: readonly string[]): Promise<Consumer> {
    const tarball = await shared("rejoin-data.tgz", pack);
    const above = await shared(installation, (path) => npmInstall(path, [tarball, ...packages]));
    const consumer = new Consumer(`${above}/${name}`, `${above}/node_modules`);
    await consumer.write("package.json", APP);
    return consumer;
  }

  /** Writes one file. */
  async write(path: string, text: string): Promise<void> {
    const folder = `${this.folder}/${path}`.replace(/\/[^/]*$/, "");
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(`${this.folder}/${path}`, text);
  }

  /** Copies a folder of the repository. */
  async copy(from: string, to: string): Promise<void> {
    for await (const { name, isDirectory } of Deno.readDir(from)) {
      if (isDirectory) await this.copy(`${from}/${name}`, `${to}/${name}`);
      else await this.write(`${to}/${name}`, await Deno.readTextFile(`${from}/${name}`));
    }
  }

  /** Runs a program here, and fails with what it printed when it fails. */
  async run(program: string, ...args: readonly string[]): Promise<string> {
    return await run(this.folder, program, ...args);
  }

  /** `tsc`, of the TypeScript that apps have, or of another one. */
  async checkTypes(project: string, typescript = "typescript"): Promise<void> {
    await this.run("node", `${this.modules}/${typescript}/bin/tsc`, "--project", project);
  }

  /** `vite build` of a folder. Gives the folder of what was built. */
  async build(app: string, modules = this.modules): Promise<string> {
    await this.run("node", `${modules}/vite/bin/vite.js`, "build", app, "--logLevel", "warn");
    return `${this.folder}/${app}/dist`;
  }
}

async function run(cwd: string, program: string, ...args: readonly string[]): Promise<string> {
  const command = new Deno.Command(program, { args: [...args], cwd, env: { NO_COLOR: "1" } });
  const { success, code, signal, stdout, stderr } = await command.output().catch((error) => {
    throw new Error(`${program} does not start (${error.message})`, { cause: error });
  });
  const [out, err] = [new TextDecoder().decode(stdout), new TextDecoder().decode(stderr)];
  assert(success, `${program} ${args.join(" ")} (${signal ?? code})\n${out}${err}`);
  return out;
}
