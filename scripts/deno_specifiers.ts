import type { Plugin } from "esbuild";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import config from "../deno.json" with { type: "json" };

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const imports: Readonly<Record<string, string>> = config.imports;

/**
 * A plugin that resolves Deno's specifiers for esbuild: `npm:preact@^11/hooks` is `preact/hooks` in node_modules, and
 * the local entries of deno.json's import map are files.
 */
export const denoSpecifiers: Plugin = {
  name: "deno-specifiers",
  setup(build) {
    build.onResolve({ filter: /^npm:/ }, ({ path, kind }) => {
      const [, name, subpath = ""] = /^npm:\/?((?:@[^/]+\/)?[^/@]+)(?:@[^/]*)?(\/.*)?$/.exec(path) ?? [];
      return build.resolve(`${name}${subpath}`, { kind, resolveDir: ROOT });
    });
    build.onResolve({ filter: /^@(rejoin|std)\// }, ({ path }) => {
      const target = imports[path];
      if (!target?.startsWith(".")) return { errors: [{ text: `deno.json's imports have no file for "${path}"` }] };
      return { path: join(ROOT, target) };
    });
  },
};
