/**
 * Starts the processes that are measured, and talks to them.
 *
 * @module
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { denoSpecifiers } from "../scripts/deno_specifiers.ts";
import type { WorkerMessage, WorkerTask } from "./worker.ts";

/** How to start a worker in one runtime. */
export interface Launcher {
  /** The name and version for the report. */
  readonly label: string;
  readonly command: string;
  readonly args: readonly string[];
}

const ROOT = new URL("../", import.meta.url);

/** Starts workers in Node, from a bundle of the same sources. `undefined` if Node is not installed. */
export async function nodeLauncher(outdir: string): Promise<Launcher | undefined> {
  const versions = spawnSync("node", ["--print", "`Node ${process.versions.node} (V8 ${process.versions.v8})`"]);
  if (versions.status !== 0) return undefined;
  await bundleWorker(outdir);
  return {
    label: versions.stdout.toString().trim(),
    command: "node",
    args: ["--expose-gc", `${outdir}/worker.js`],
  };
}

/** Calls a function with a way to start workers in Node. */
export async function withNode(run: (launcher: Launcher) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "rejoin-bench-"));
  try {
    const launcher = await nodeLauncher(folder);
    if (!launcher) throw new Error("There is no Node here.");
    await run(launcher);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Bundles the worker for Node, with one chunk for each contestant. */
export async function bundleWorker(outdir: string): Promise<void> {
  await build({
    entryPoints: [fileURLToPath(new URL("worker.ts", import.meta.url))],
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    outExtension: { ".js": ".js" },
    // An application's bundler takes these builds, and not the older ones for `require`.
    conditions: ["module", "import"],
    mainFields: ["module", "main"],
    define: { "process.env.NODE_ENV": '"production"' },
    keepNames: false,
    sourcemap: "linked",
    legalComments: "none",
    absWorkingDir: fileURLToPath(ROOT),
    plugins: [denoSpecifiers],
  });
  await Deno.writeTextFile(`${outdir}/package.json`, JSON.stringify({ type: "module" }));
}

/** A process that is ready to take samples. */
export interface Worker {
  /** The number of operations in each sample. */
  readonly operations: number;
  /** Takes one sample, in the unit of the scenario. */
  sample(): Promise<number>;
  /** Ends the process. */
  close(): Promise<void>;
}

/** Starts a worker. `undefined` if its contestant does not support the scenario; rejects if it fails its check. */
export async function startWorker(launcher: Launcher, task: WorkerTask): Promise<Worker | undefined> {
  const child: ChildProcess = spawn(launcher.command, [...launcher.args, JSON.stringify(task)], {
    cwd: fileURLToPath(ROOT),
    env: { ...Deno.env.toObject(), NODE_ENV: "production" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let complaint = "";
  child.stderr!.on("data", (chunk) => complaint += chunk);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();

  async function next(): Promise<WorkerMessage> {
    const { value, done } = await lines.next();
    if (!done) return JSON.parse(value);
    await ended;
    throw new Error(`${task.contestant} failed in ${task.scenario} on ${launcher.label}.\n${complaint.trim()}`);
  }
  async function close() {
    child.stdin!.end();
    await ended;
  }

  const first = await next();
  if (first.kind !== "ready") {
    await close();
    return undefined;
  }
  return {
    operations: first.operations,
    async sample() {
      child.stdin!.write("sample\n");
      const message = await next();
      if (message.kind !== "sample") throw new Error(`${task.contestant} answered "${message.kind}" to "sample".`);
      return message.value;
    },
    close,
  };
}
