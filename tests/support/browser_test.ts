import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { findBrowser, launch } from "./browser.ts";

Deno.test("launch opens a page, runs its script and takes a picture of it", async () => {
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () =>
      new Response("<!doctype html><title>here</title><p>text</p><script>document.title += ' and now'</script>", {
        headers: { "content-type": "text/html" },
      }),
  );
  await using browser = await launch();
  const page = await browser.newPage({ viewport: { width: 320, height: 200 } });
  await page.goto(`http://127.0.0.1:${server.addr.port}/`);
  assertEquals(await page.title(), "here and now");
  const text = await page.locator("p").boundingBox();
  assert(text !== null && text.height > 0, "the browser has no font");
  const picture = await page.screenshot();
  assertEquals([...picture.subarray(1, 4)], [...new TextEncoder().encode("PNG")]);
});

Deno.test("findBrowser starts what it found when it names a browser", async () => {
  const { version, executablePath } = await findBrowser();
  assertMatch(version, /\d+\.\d+/);
  assert((await Deno.stat(executablePath)).isFile);
});

Deno.test("findBrowser takes the one of CHROME_PATH when there are others", async () => {
  const chromePath = await Deno.makeTempFile();
  await Deno.writeTextFile(chromePath, "#!/bin/sh\necho Chromium 1.2.3\n");
  await Deno.chmod(chromePath, 0o700);
  try {
    assertEquals(await findBrowser({ chromePath }), { executablePath: chromePath, version: "Chromium 1.2.3", env: {} });
  } finally {
    await Deno.remove(chromePath);
  }
});

Deno.test("findBrowser rejects when CHROME_PATH names no browser", async () => {
  const error = await assertRejects(() => findBrowser({ chromePath: Deno.execPath() }), Error);
  assertStringIncludes(error.message, `CHROME_PATH names: ${Deno.execPath()}: deno`);
});

Deno.test("findBrowser says what it tried when nothing works", async () => {
  const error = await assertRejects(
    () =>
      findBrowser({
        chromePath: "",
        system: ["no-such-browser"],
        install: [() => Promise.reject(new Error("the registry is down"))],
      }),
    Error,
  );
  assertStringIncludes(error.message, "no-such-browser: not found\n  - the registry is down\n");
  assertStringIncludes(error.message, "set CHROME_PATH");
});
