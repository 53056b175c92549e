import { assert, assertEquals } from "@std/assert";
import config from "../../deno.json" with { type: "json" };
import { ROOT } from "./module_graph.ts";

/** The texts of the jobs in the public workflow, by name. */
async function jobs(): Promise<ReadonlyMap<string, string>> {
  const text = await Deno.readTextFile(`${ROOT}.github/workflows/ci.yml`);
  const [, all = ""] = text.split(/^jobs:$/m);
  return new Map(all.split(/^ {2}(?=\w+:$)/m).slice(1).map((job) => [job.slice(0, job.indexOf(":")), job] as const));
}

Deno.test("17. the workflow runs what .ci/run runs, and the packed package under each Node, before anything is published", async () => {
  const found = await jobs();
  assertEquals([...found.keys()], ["check", "consumers", "publish"]);
  assert(found.get("check")!.includes("run: .ci/run"));
  const consumers = found.get("consumers")!;
  for (const node of ["20.19", "22", "24"]) assert(consumers.includes(`"${node}"`), node);
  for (const [, path] of consumers.matchAll(/ (tests\/\w+)/g)) assert((await Deno.stat(ROOT + path)).isDirectory);
  const publish = found.get("publish")!;
  assert(/needs: \[check, consumers\]/.test(publish) && /id-token: write/.test(publish));
  assert(/deno publish$/m.test(publish) && /npm publish --provenance/.test(publish));
});

Deno.test("17. the workflow and CONTRIBUTING.md name tasks that there are", async () => {
  const texts = [...(await jobs()).values(), await Deno.readTextFile(`${ROOT}CONTRIBUTING.md`)].join("\n");
  const named = [...texts.matchAll(/deno task ([a-z:]+)/g)].map(([, name = ""]) => name);
  assert(named.length > 5);
  assertEquals(named.filter((name) => !Object.hasOwn(config.tasks, name)), []);
});
