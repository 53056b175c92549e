// deno-lint-ignore-file no-explicit-any
import { Controller, resource } from "@rejoin/data";
import { assertEquals } from "@std/assert";
import { assertRejected } from "../support/rejected.ts";
import { Film, test, urlPrefix } from "../support/wired.ts";

test("rule 29: text after the last parameter stays; a relative prefix needs a page", async () => {
  const R: any = resource({ urlPrefix, path: "/films/:id/", schema: Film });
  assertEquals([R.getList.url(), R.create.url(), R.get.url({ id: 1 })], [
    `${urlPrefix}/films/`,
    `${urlPrefix}/films/`,
    `${urlPrefix}/films/1/`,
  ]);
  await assertRejected(
    new Controller().fetch(resource({ urlPrefix: "/api", path: "/films/:id", schema: Film }).get, { id: "1" }),
    /no host/,
  );
});
