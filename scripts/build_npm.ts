/**
 * Builds the npm package into `npm/`: `deno task build:npm`. It is the only task that needs JSR, where dnt is
 * published.
 *
 * @module
 */
import { build, emptyDir } from "@deno/dnt";
import { buildOptions, npmSpecifiers, type PackageJson, packedReadme, withProduction } from "./npm_package.ts";

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
    await Deno.writeTextFile("npm/package.json", JSON.stringify(withProduction(made, "./esm", "./script"), null, 2));
  },
});
