/**
 * A Chromium for tests: one that is installed, or one from an npm package.
 *
 * @module
 */
import { type Browser, chromium } from "playwright-core";

/** A browser that could be started once and told its version. */
export interface FoundBrowser {
  readonly executablePath: string;
  /** The output of `--version`. */
  readonly version: string;
  /** Variables that its process needs beside the environment of the tests. */
  readonly env: Readonly<Record<string, string>>;
}

/** The places where {@linkcode findBrowser} looks. Each can be replaced. */
export interface FindBrowserOptions {
  /**
   * A browser named by the user. If it does not work, that is an error. Defaults to the environment's `CHROME_PATH`.
   */
  readonly chromePath?: string | undefined;
  /** Programs to try, by name or path. Defaults to the usual places of Chromium and Chrome. */
  readonly system?: readonly string[];
  /** What to try if the system has no browser, in order. Each returns a browser, or throws the reason. */
  readonly install?: readonly (() => Promise<FoundBrowser>)[];
}

const SYSTEM_BROWSERS = Deno.build.os === "darwin"
  ? [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ]
  : Deno.build.os === "windows"
  // On Windows `--version` opens a window instead of printing.
  ? []
  : ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];

/** A Linux x64 Chromium in an npm package, with the shared libraries that a minimal system lacks. */
const PACKAGED_CHROMIUM = "@sparticuz/chromium@147.0.2";

// The browser must send no requests of its own, because machines that run the tests may reach nothing but a registry.
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts a browser with an empty profile and additional flags. `await using` closes it. */
export async function launch(found?: FoundBrowser, flags: readonly string[] = []): Promise<Browser> {
  const { executablePath, env } = found ?? await findBrowser();
  const options = { executablePath, args: [...FLAGS, ...flags], env: { ...Deno.env.toObject(), ...env } };
  return await chromium.launch({ ...options, timeout: 120_000 });
}

/**
 * Finds a browser, or installs one. It tries `CHROME_PATH`, the system's, one from npm (needs no rights), and Debian's
 * (as root).
 *
 * @throws {Error} If there is none. The message says what was tried, and why each attempt failed.
 */
export async function findBrowser(options: FindBrowserOptions = {}): Promise<FoundBrowser> {
  const {
    chromePath = Deno.env.get("CHROME_PATH"),
    system = SYSTEM_BROWSERS,
    install = [fromPackage, fromDebian],
  } = options;
  if (chromePath) {
    return await start(chromePath).catch((error) => {
      throw new Error(`Cannot start the browser that CHROME_PATH names: ${message(error)}`, { cause: error });
    });
  }
  const failures: string[] = [];
  for (const attempt of [...system.map((program) => () => start(program)), ...install]) {
    try {
      return await attempt();
    } catch (error) {
      failures.push(message(error));
    }
  }
  throw new Error(
    `Cannot find a browser for the tests. Tried:\n${failures.map((failure) => `  - ${failure}`).join("\n")}\n` +
      "Install Chromium or Chrome, or set CHROME_PATH to one.",
  );
}

/** Runs `program --version`, because a file that exists may be a stub, or lack a shared library. */
async function start(program: string, env: Record<string, string> = {}): Promise<FoundBrowser> {
  const executablePath = await resolve(program);
  const { success, stdout, stderr } = await new Deno.Command(executablePath, { args: ["--version"], env }).output();
  const version = new TextDecoder().decode(stdout).trim();
  if (!success || !/Chrom|Edge/.test(version)) {
    const reason = new TextDecoder().decode(stderr).trim().split("\n").at(-1);
    throw new Error(`${executablePath}: ${reason || version || "printed no version"}`);
  }
  return { executablePath, version, env };
}

/** The path of a program, because Playwright accepts no name. */
export async function resolve(program: string): Promise<string> {
  const candidates = program.includes("/")
    ? [program]
    : (Deno.env.get("PATH") ?? "").split(":").filter(Boolean).map((folder) => `${folder}/${program}`);
  for (const candidate of candidates) {
    if ((await Deno.stat(candidate).catch(() => undefined))?.isFile) return candidate;
  }
  throw new Error(`${program}: not found`);
}

/**
 * Unpacks the browser of the npm package into the repository's `.cache/`. A separate process without our deno.json
 * downloads it, because a dynamic import here would put 66 MB into the node_modules and the lock file of everyone who
 * has a browser.
 */
async function fromPackage(): Promise<FoundBrowser> {
  if (Deno.build.os !== "linux" || Deno.build.arch !== "x86_64") {
    throw new Error(`npm:${PACKAGED_CHROMIUM}: is made for linux x86_64, this is ${Deno.build.os} ${Deno.build.arch}`);
  }
  const cache = decodeURIComponent(new URL("../../.cache/", import.meta.url).pathname);
  const folder = `${cache}${PACKAGED_CHROMIUM.replaceAll(/[^\w.]+/g, "-").slice(1)}`;
  if (!await Deno.stat(folder).catch(() => undefined)) await unpack(cache, folder);

  const env = { FONTCONFIG_FILE: `${folder}/fonts.conf` };
  // The system's own libraries are tried first, because the packaged ones are of another distribution.
  return await start(`${folder}/chromium`, env)
    .catch(() => start(`${folder}/chromium`, { ...env, LD_LIBRARY_PATH: `${folder}/al2023/lib` }));
}

async function unpack(cache: string, folder: string): Promise<void> {
  console.error(`No browser on this machine: taking the one in npm:${PACKAGED_CHROMIUM} (66 MB).`);
  await Deno.mkdir(cache, { recursive: true });
  const staging = await Deno.makeTempDir({ dir: cache, prefix: "chromium-" });
  try {
    await run(Deno.execPath(), ["run", "-A", "--no-config", "--no-lock", "--node-modules-dir=none", "--ext=ts", "-"], {
      stdin: `import chromium from "npm:${PACKAGED_CHROMIUM}"; await chromium.executablePath();`,
      // The package unpacks into the folder for temporary files, and unpacks its libraries only if it runs in Lambda.
      env: { TMPDIR: staging, AWS_LAMBDA_JS_RUNTIME: "nodejs22.x" },
    });
    const fonts = ["/usr/share/fonts", "/usr/local/share/fonts", `${folder}/fonts/fonts`];
    await Deno.writeTextFile(
      `${staging}/fonts.conf`,
      `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>${
        fonts.map((font) => `<dir>${escape(font)}</dir>`).join("")
      }<cachedir>${escape(folder)}/fonts-cache</cachedir></fontconfig>\n`,
    );
    // The rename makes the folder appear complete or not at all. If two processes do this at once, the first one's
    // folder stays.
    await Deno.rename(staging, folder).catch(async (error) => {
      if (!await Deno.stat(folder).catch(() => undefined)) throw error;
    });
  } finally {
    await Deno.remove(staging, { recursive: true }).catch(() => {});
  }
}

async function fromDebian(): Promise<FoundBrowser> {
  await installFromDebian("chromium");
  return await start("chromium");
}

/**
 * Installs Debian packages, if the tests run as root.
 *
 * @throws {Error} If this is no Debian, or the user is not root.
 */
export async function installFromDebian(...packages: readonly string[]): Promise<void> {
  const command = `apt-get install ${packages.join(" ")}`;
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) throw new Error(`${command}: needs root on Debian`);
  await resolve("apt-get");
  console.error(`No browser on this machine: ${command}.`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update"], { env });
  await run("apt-get", ["install", "-y", "--no-install-recommends", ...packages], { env });
}

async function run(
  program: string,
  args: readonly string[],
  { stdin = "", env = {} }: { readonly stdin?: string; readonly env?: Record<string, string> },
): Promise<void> {
  const child = new Deno.Command(program, { args: [...args], env, stdin: "piped", stdout: "null", stderr: "piped" })
    .spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  await writer.close();
  const { success, stderr } = await child.output();
  if (!success) {
    const reason = new TextDecoder().decode(stderr).trim().split("\n").slice(-3).join(" ");
    throw new Error(`${program} ${args.join(" ")}: ${reason}`);
  }
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
