/** What an app does not name, it does not need: with the folders of all features emptied, everything else works. */
import { assertEquals, assertRejects } from "@std/assert";
import * as esbuild from "esbuild";
import { denoSpecifiers } from "../../scripts/deno_specifiers.ts";

const ROOT = decodeURIComponent(new URL("../../", import.meta.url).pathname);

/** Reads, changes and shows what is pending: an app that names none of the features below. */
const APP = `
import { Controller, createResource, Entity } from "./core.ts";
class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}
const films = new Map([["1", { id: "1", title: "Alien" }]]);
const fetchResponse = async (url, { method, body }) => {
  const id = new URL(url).pathname.split("/")[2];
  if (method === "PATCH") films.set(id, { ...films.get(id), ...JSON.parse(body) });
  return Response.json(id === undefined ? [...films.values()] : films.get(id));
};
const FilmResource = createResource({
  urlPrefix: "https://api.example.com",
  path: "/films/:id",
  schema: Film,
  optimistic: true,
  fetchResponse,
});
const controller = new Controller();
const [film] = await controller.fetch(FilmResource.getList);
const changed = controller.fetch(FilmResource.partialUpdate, { id: "1" }, { title: "Aliens" });
const pending = controller.get(Film, { id: "1" }).title;
await changed;
const one = await controller.fetch(FilmResource.get, { id: "1" });
controller.end?.();
export default [film.title, pending, one.title, one === controller.get(Film, { id: "1" })];
`;

/** Folders that bring one feature each. */
const FEATURES = [
  "collections",
  "dev",
  "inspector",
  "legacy",
  "managers",
  "parts/commits",
  "parts/explain",
  "parts/memory",
  "parts/recording",
  "parts/scopes",
  "parts/secrets",
  "parts/snapshot",
  "parts/state",
  "parts/temporary_ids",
  "preact",
  "rest/steps",
  "signals",
  "ssr",
  "testing",
];

/** What an app gives when folders of src are empty: nothing of them can be called, or extended. */
async function runWithout(folders: readonly string[], app: string): Promise<unknown> {
  const empty: esbuild.Plugin = {
    name: "empty",
    setup(build) {
      const filter = new RegExp(`/src/(${folders.join("|")})/[^.]+\\.tsx?$`);
      build.onLoad({ filter }, () => ({ contents: "module.exports = {};", loader: "js" }));
    },
  };
  const { outputFiles } = await esbuild.build({
    stdin: { contents: app, loader: "ts", resolveDir: ROOT },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2023",
    logLevel: "silent",
    plugins: [empty, denoSpecifiers],
  });
  const { default: result } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`);
  return result;
}

Deno.test("an app runs without the folders of all features that it does not name, and not without those that it does", async () => {
  try {
    assertEquals(await runWithout(FEATURES, APP), ["Alien", "Aliens", "Aliens", true]);
    await assertRejects(() => runWithout(["rest"], APP), TypeError);
    await assertRejects(() => runWithout(["collections"], APP.replaceAll("createResource", "resource")), TypeError);
  } finally {
    await esbuild.stop();
  }
});
