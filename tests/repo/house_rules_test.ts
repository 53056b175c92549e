/// <reference lib="deno.unstable" />
// This library has the type of `Deno.lint.runPlugin`.
import { assert, assertEquals } from "@std/assert";
import rules, { shippedPath } from "../../scripts/house_rules.ts";
import { shippedFiles } from "./module_graph.ts";

function broken(file: string, source: string): string[] {
  return Deno.lint.runPlugin(rules, file, source).map((diagnostic) => diagnostic.id.replace("rejoin/", ""));
}

const BREACHES: readonly [rule: string, source: string][] = [
  ["one-fetch", `await fetch("https://api.example.com")`],
  ["one-fetch", `const get = globalThis.fetch`],
  ["one-fetch", `window["fetch"]("https://api.example.com")`],
  ["one-fetch", `const send = options.fetch ?? fetch`],
  ["one-fetch", `export const defaults = { fetch }`],
  ["one-fetch", `const stream = new EventSource("https://api.example.com")`],
  ["no-code-from-text", `eval("1")`],
  ["no-code-from-text", `(0, eval)("1")`],
  ["no-code-from-text", `const one = new Function("return 1")`],
  ["no-code-from-text", `const one = Function("return 1")`],
  ["no-runtime", `if (process.env.NODE_ENV !== "production") warn()`],
  ["no-runtime", `const home = Deno.env.get("HOME")`],
  ["no-runtime", `const { env } = globalThis.process`],
  ["no-runtime", `const here = import.meta.url`],
];

for (const [rule, source] of BREACHES) {
  Deno.test(`${rule} refuses ${source} when it is in src`, () => {
    assertEquals(broken("/project/src/store/commit.ts", source), [rule]);
    assertEquals(broken("/project/tests/store/commit_test.ts", source), []);
  });
}

Deno.test("house rules accept a name when it is no use of the global", () => {
  const source = `
    import { setTimeout as wait } from "./x.ts";
    interface Options { fetch: typeof globalThis.fetch; process(value: unknown): unknown; Date?: string }
    export class Query {
      constructor() { Object.setPrototypeOf(this, new.target.prototype); }
      fetch(url: string): string { return this.fetch(url) + this.options.process(url) + clock.setTimeout(url); }
      run(fetch: (url: string) => void, { process, now: performance = 1 }: Options) {
        fetch("a"); process(performance);
        return { setTimeout: wait, eval: 1 };
      }
    }
    function schedule(): void { const setTimeout = clock.setTimeout; setTimeout(() => {}); }
    const parse = (text: string) => new Date(text), is = value instanceof Date, callable = x instanceof Function.prototype.constructor;
    try { schedule(); } catch (process) { report(process); }
    export type Fetch = typeof fetch;
  `;
  assertEquals(broken("/project/src/schemas/query.ts", source), []);
});

Deno.test("house rules accept the one place when it uses what it stands for", () => {
  assertEquals(broken("/project/src/http/send.ts", `const response = await fetch(request)`), []);
  assertEquals(broken("/project/src/testing/fault_fetch.ts", `globalThis.fetch = fake`), []);
});

Deno.test("house rules hold when src is as it is", async () => {
  const files = await shippedFiles();
  assert(files.length > 10, `only ${files.length} files found`);
  const diagnostics = [];
  for (const file of files) {
    for (const { id, message } of Deno.lint.runPlugin(rules, file, await Deno.readTextFile(file))) {
      diagnostics.push(`${shippedPath(file)}: ${id}: ${message}`);
    }
  }
  assertEquals(diagnostics, []);
});

Deno.test("fetch is called in one file when all of src is read", async () => {
  const callers = [];
  for (const file of await shippedFiles()) {
    // Files of src/http/ are linted under another path, where the rule reports each call.
    const uses = broken("/project/src/elsewhere.ts", await Deno.readTextFile(file)).filter((id) => id === "one-fetch");
    if (uses.length > 0) callers.push(shippedPath(file));
  }
  // It calls none of them: it replaces the platform's `fetch`.
  assertEquals(callers.splice(callers.indexOf("src/testing/fault_fetch.ts"), 1), ["src/testing/fault_fetch.ts"]);
  assertEquals(callers.length, 1, `fetch is called in: ${callers.join(", ") || "no file"}`);
});
