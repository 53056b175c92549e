/**
 * Builds the npm package into `npm/`: `deno task build:npm`. It is the only task that needs JSR, where dnt is
 * published.
 *
 * @module
 */
import { build, emptyDir } from "@deno/dnt";
import {
  buildOptions,
  COMMONJS_TYPES,
  npmSpecifiers,
  type PackageJson,
  packedReadme,
  withExports,
} from "./npm_package.ts";

const root = decodeURIComponent(new URL("../", import.meta.url).pathname);
Deno.chdir(root);

const texts: string[] = [];
for await (const { name } of Deno.readDir("src/deps")) texts.push(await Deno.readTextFile(`src/deps/${name}`));

await emptyDir("npm");
await build({
  ...buildOptions(npmSpecifiers(...texts), "npm"),
  async postBuild() {
    for (const file of ["LICENSE", "CHANGELOG.md"]) await Deno.copyFile(file, `npm/${file}`);
    await Deno.writeTextFile("npm/README.md", packedReadme(await Deno.readTextFile("README.md")));
    const made = JSON.parse(await Deno.readTextFile("npm/package.json")) as PackageJson;
    await Deno.writeTextFile("npm/package.json", JSON.stringify(withExports(made, "./esm"), null, 2));
    await copyTypes("npm/esm", `npm/${COMMONJS_TYPES}`);
    await Deno.writeTextFile(`npm/${COMMONJS_TYPES}/package.json`, JSON.stringify({ type: "commonjs" }));
  },
});

/** Copies the declarations of a folder, with those in its folders. */
async function copyTypes(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyTypes(`${from}/${name}`, `${to}/${name}`);
    else if (name.endsWith(".d.ts")) await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}
