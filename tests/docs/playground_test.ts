import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { build } from "esbuild";
import { denoSpecifiers } from "../../scripts/deno_specifiers.ts";
import { ROOT } from "../repo/documents.ts";
import { launch } from "../support/browser.ts";
import { Site } from "./_site.ts";

const FILES = ["docs/.vitepress/playground.ts", "docs/.vitepress/playground.vue", "docs/playground.md"].map((path) =>
  Deno.readTextFileSync(ROOT + path)
);

Deno.test("the playground is at most 150 lines", () => {
  assert(FILES.join("").split("\n").length <= 150);
});

Deno.test("the playground runs README's example, what is refused, and what does not compile", async () => {
  const start = `import { playground } from "./docs/.vitepress/playground.ts";
    playground(document.querySelector("#a"), ${JSON.stringify(await Deno.readTextFile(`${ROOT}README.md`))});`;
  const { outputFiles } = await build({
    stdin: { contents: start, resolveDir: ROOT },
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "silent",
    plugins: [denoSpecifiers],
  });
  await using browser = await launch();
  await using site = await Site.open(browser, outputFiles[0]!.text, () => new Response(null, { status: 500 }));
  await site.sees(".output p", "Hello by Ann");
  const dialog = site.page.waitForEvent("dialog");
  await site.page.locator(".output p").first().click();
  await site.sees(".output p", "New by Ann");
  await site.sees("pre", "PATCH /api/articles/1 200");
  await site.page.getByRole("checkbox").check();
  await site.page.locator(".output p", { hasText: "Again" }).click();
  const refused = await dialog;
  assertStringIncludes(refused.message(), "the server answered 422");
  await refused.accept();
  await site.sees(".output p", "Again by Ann");
  assertEquals(site.requests, [], "the API is in the page");

  const code = site.page.getByLabel("Code");
  await code.fill((await code.inputValue()).replaceAll("AsyncBoundary", "DataProvider"));
  await site.press("Run");
  await site.sees("pre", "<Articles> waits for its data, and there is no boundary above");
  await code.fill("const = 1;");
  await site.press("Run");
  await site.sees("pre", "SyntaxError");
});
