/**
 * Folders in which apps are built and run from the packed package, as its users do. Their parent folder has one
 * `node_modules`, which npm fills once in a run of the tests.
 *
 * @module
 */
import { assert } from "@std/assert";
import { pack } from "../../scripts/pack.ts";
import { shared } from "../support/shared.ts";

/** The other packages that the apps need. Vite 8 and Vitest 4 need a newer Node than the oldest that we support. */
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

/** Whether npm is installed. Without npm these tests cannot run. */
export const HAS_NPM: boolean = await run(".", "npm", "--version").then(() => true, () => false);

/** Defines a test that needs npm. */
export const npmTest = (name: string, fn: () => Promise<void>, ignore = false): void =>
  Deno.test({ name, ignore: !HAS_NPM || ignore, fn });

/** Installs packages into the `node_modules` of a folder. */
export async function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/package.json`, APP);
  // Packages from npm's cache are not downloaded again.
  const options = ["--no-audit", "--no-fund", "--no-update-notifier", "--prefer-offline", "--loglevel=error"];
  await run(folder, "npm", "install", ...options, ...packages);
}

/** A folder below the shared `node_modules`. */
export class Consumer {
  private constructor(
    /** Its path. */
    readonly folder: string,
    /** The `node_modules` in which its modules are found. */
    readonly modules: string,
  ) {}

  /**
   * Makes a folder. Packs the package and installs the others if no test has done so yet.
   *
   * @param name Its name, which must be unique.
   * @throws {Error} If npm is missing or cannot install, because the test could not run.
   */
  static async open(name: string): Promise<Consumer> {
    return await Consumer.#below("consumers", name, PACKAGES);
  }

  /**
   * The same with its own `node_modules`, which has only the package and the given ones.
   *
   * @param name Its name, which must be unique.
   * @param packages The packages to install beside ours.
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

  /** Runs a program in the folder. If it fails, the error has its output. */
  async run(program: string, ...args: readonly string[]): Promise<string> {
    return await run(this.folder, program, ...args);
  }

  /** Runs `tsc` of the apps' TypeScript, or of another one. */
  async checkTypes(project: string, typescript = "typescript"): Promise<void> {
    await this.run("node", `${this.modules}/${typescript}/bin/tsc`, "--project", project);
  }

  /** Runs `vite build` in a folder. Returns the folder of the output. */
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
