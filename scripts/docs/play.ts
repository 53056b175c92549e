/**
 * The examples of documents that show a component, as a reader can run them in the page: with the server of the example,
 * which is good, slow or failing. Without a server of ours, also from a disk.
 *
 * @module
 */
import * as esbuild from "esbuild";
import { denoSpecifiers } from "../deno_specifiers.ts";
import { examplesOf } from "./examples.ts";

const HERE = decodeURIComponent(new URL(".", import.meta.url).pathname);

/** What an example may import: each is in the runtime, once for all examples of a page. */
const MODULES = [
  "@rejoin/data",
  "@rejoin/data/extend",
  "@rejoin/data/preact",
  "@rejoin/data/signals",
  "preact",
  "preact/hooks",
  "preact/jsx-runtime",
  "@preact/signals",
];

/** One example that can be run. */
export interface Play {
  /** Names its script. */
  readonly name: string;
  /** What the script is made of. */
  readonly code: string;
}

/** The examples of a page that can be run, by what a reader sees of them. */
export function playable(path: string, markdown: string): Map<string, Play> {
  const plays = new Map<string, Play>();
  for (const { setup, shown, check, line } of examplesOf(path, markdown)) {
    const component = /\bshow\((<[^;]*\/>)\);/.exec(check)?.[1];
    if (component === undefined || !setup.includes("serve(") || /\bDeno\b/.test(setup + shown)) continue;
    const name = `${path.replace(/\.html$/, "").replaceAll("/", "-")}-${line}.js`;
    const runtime = `import { serve, show } from "play:runtime";`;
    plays.set(shown.replace(/\n$/, ""), { name, code: `${runtime} ${setup}${shown}\nshow(${component});\n` });
  }
  return plays;
}

/** What stands below the code of an example: how to run it; nothing where it cannot be. */
export function playButton(play: Play | undefined): string {
  if (play === undefined) return "";
  const server = ["good", "slow", "failing"].map((name, at) =>
    `<label><input type="radio" name="${play.name}" value="${name}"${at === 0 ? " checked" : ""}>${name}</label>`
  );
  return `<div class="play" data-script="${play.name}"><button type="button" data-run>Run it</button>` +
    `<span class="more">Its server is ${
      server.join(" ")
    } <button type="button" data-inspect>Look inside</button></span></div>`;
}

/** Writes the scripts of some examples, and what they run on. */
export async function writePlays(folder: string, plays: readonly Play[]): Promise<void> {
  const options = {
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "silent",
  } as const satisfies esbuild.BuildOptions;
  const imports = MODULES.map((name, at) => `import * as m${at} from "${name}";`).join("\n");
  const named = MODULES.map((name, at) => `"${name}": m${at}`).join(", ");
  await esbuild.build({
    ...options,
    stdin: {
      contents: `${imports}\nimport * as runtime from "./play_runtime.tsx";\n` +
        `globalThis.playModules = { ${named}, "play:runtime": runtime };`,
      resolveDir: HERE,
    },
    outfile: `${folder}/runtime.js`,
    plugins: [denoSpecifiers],
  });
  const codes = new Map(plays.map(({ name, code }) => [name, code]));
  await esbuild.build({
    ...options,
    entryPoints: plays.map(({ name }) => ({ in: `play-code:${name}`, out: name.replace(/\.js$/, "") })),
    outdir: folder,
    plugins: [{
      name: "play",
      setup(build) {
        build.onResolve(
          { filter: /^play-code:/ },
          ({ path }) => ({ path: path.slice("play-code:".length), namespace: "code" }),
        );
        build.onLoad({ filter: /./, namespace: "code" }, ({ path }) => ({ contents: codes.get(path)!, loader: "tsx" }));
        build.onResolve({ filter: /./, namespace: "code" }, ({ path }) => ({ path, namespace: "module" }));
        build.onLoad({ filter: /./, namespace: "module" }, ({ path }) => ({
          contents: `module.exports = globalThis.playModules[${JSON.stringify(path)}];`,
        }));
      },
    }],
  });
}
