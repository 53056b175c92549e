// What the tables of the migration pages say is there.
import * as core from "@rejoin/data";
import * as extend from "@rejoin/data/extend";
import * as legacy from "@rejoin/data/legacy";
import * as preact from "@rejoin/data/preact";
import * as signals from "@rejoin/data/signals";
import * as ssr from "@rejoin/data/ssr";
import * as testing from "@rejoin/data/testing";
import { assert, assertEquals } from "@std/assert";
import { ROOT } from "../repo/module_graph.ts";

const EXPORTS = new Set([core, extend, legacy, preact, signals, ssr, testing].flatMap((entry) => Object.keys(entry)));

/** Names of an app, and of the language. */
const OTHERS = new Set("Article ArticleResource Date GET Resource Todo TodoResource User useGet useInit".split(" "));

/** What stands in the second column of the tables, in code. */
function spans(page: string): string[] {
  return [...page.matchAll(/^\|[^|\n]+\|([^|\n]+)\|$/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)
  );
}

/** Names in code that are meant to be ours, and are not there. */
function missing(codes: readonly string[]): string[] {
  using controller = new core.Controller();
  return codes.flatMap((code) => {
    const methods = [...code.matchAll(/\bcontroller\.(\w+)/g)].filter(([, name = ""]) => !(name in controller));
    const named = [...code.matchAll(/(?<![.\w"/])(?:use[A-Z]|[A-Z])\w+/g)].map(([name]) => name)
      .filter((name) => !EXPORTS.has(name) && !OTHERS.has(name));
    const schemas = [...code.matchAll(/\bschema\.(\w+)/g)].filter(([, name = ""]) => !(name in core.schema));
    return [...methods.map(([name]) => name), ...named, ...schemas.map(([name]) => name)];
  });
}

Deno.test("names that are not there are found", () => {
  const page =
    "| there | here |\n| --- | --- |\n| `useX` | `useNothing(X)`, `controller.frobnicate`, `schema.Nope` |\n";
  assertEquals(missing(spans(page)), ["useNothing", "controller.frobnicate", "schema.Nope"]);
});

for (const name of ["tanstack", "data-client", "rtk-query", "rest-hooks", "5"]) {
  Deno.test(`migration-${name}.md names only what is there`, async () => {
    const codes = spans(await Deno.readTextFile(`${ROOT}docs/migration-${name}.md`));
    assert(codes.length > 15, `${codes.length} names: the tables are not read`);
    assertEquals(missing(codes), []);
  });
}
