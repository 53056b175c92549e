/**
 * We promise how many components run for a change. Here it is tested with ten thousand rows, in a browser, over a
 * network.
 */
import { assert, assertEquals } from "@std/assert";
import { launch } from "../support/browser.ts";
import { pageWith, scriptOf } from "../support/page.ts";
import { bundle, inPageOf } from "./_bundle.ts";
import type { RowsPage } from "./_rows_page.tsx";

const ROWS = 10_000;

/**
 * Films, a hundred of which belong to one user, `u`. The response for one film is held back until the test releases it.
 */
class Site implements AsyncDisposable {
  /** Titles that differ from the first response. */
  readonly titles = new Map<string, string>();
  /** The ids of films that were requested one by one. */
  readonly asked: string[] = [];
  readonly #held: { readonly id: string; answer(): void }[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(script: string) {
    this.#server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/page.js") return scriptOf(script);
      if (pathname === "/films") return Response.json(Array.from({ length: ROWS }, (_, id) => this.#film(String(id))));
      if (!pathname.startsWith("/films/")) return pageWith("/page.js");
      const id = pathname.slice("/films/".length);
      this.asked.push(id);
      const { promise, resolve } = Promise.withResolvers<Response>();
      const answer = () =>
        resolve(id.startsWith("none") ? new Response("none", { status: 404 }) : Response.json(this.#film(id)));
      this.#held.push({ id, answer });
      return promise;
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  /** Releases the responses that are held back. */
  answer(): void {
    for (const { answer } of this.#held.splice(0)) answer();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.answer();
    await this.#server.shutdown();
  }

  #film(id: string) {
    const isShared = Number(id) % 100 === 0;
    return {
      id,
      title: this.titles.get(id) ?? `Film ${id}`,
      user: { id: isShared ? "u" : `u${id}`, name: isShared ? "Ann" : `User ${id}` },
    };
  }
}

const inPage = inPageOf<RowsPage>();

Deno.test("of ten thousand rows in a browser exactly those of what changed run", async (t) => {
  const { code } = (await bundle("_rows_page.tsx")).get("_rows_page.tsx")!;
  await using browser = await launch();
  await using site = new Site(code);
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  const errors: unknown[] = [];
  page.on("pageerror", (error) => errors.push(error));
  await page.goto(site.url);
  await page.waitForSelector("main output");
  await inPage(page, (test) => test.ran());
  site.answer();
  await page.waitForFunction("page.busy() === 'idle'");

  /** The renderings since the last look, as `[rows, times]`. */
  const ran = async () => {
    const { rows, times } = await inPage(page, (test) => test.ran());
    return [rows, times];
  };

  /** The promise itself, which must hold again after each of the changes below. */
  const holds = async (turn: string) => {
    await inPage(page, (test, title) => test.write("Film", "42", { title }), `${turn} film`);
    assertEquals(await ran(), [1, 1], "one changed record");
    assertEquals(await inPage(page, (test) => test.text(42)), `${turn} film by User 42`);
    site.titles.set("42", `${turn} film`);

    await inPage(page, (test, name) => test.write("User", "u", { name }), `${turn} user`);
    assertEquals(await ran(), [100, 100], "one that a hundred share");
    assertEquals(await inPage(page, (test) => test.text(9_900)), `Film 9900 by ${turn} user`);
    await inPage(page, (test) => test.write("User", "u", { name: "Ann" }));
    assertEquals(await ran(), [100, 100]);

    await inPage(page, (test) => {
      test.write("Film", "unseen", { title: "x" });
      test.write("User", "unseen", { name: "x" });
    });
    assertEquals(await ran(), [0, 0], "what nobody shows");

    assertEquals(await inPage(page, (test) => test.load()), ROWS);
    assertEquals(await ran(), [0, 0], "an equal list");
  };

  await t.step("mounting runs each once", async () => {
    assertEquals(await inPage(page, (test) => test.load()), ROWS);
    assertEquals(await ran(), [0, 0]);
    await inPage(page, (test) => test.show(0, test.rows));
    assertEquals(await ran(), [ROWS, ROWS]);
    assertEquals(site.asked, ["7"], "rows are read from the list");
    await holds("first");
  });

  await t.step("a list with one difference runs one", async () => {
    site.titles.set("1234", "New");
    await inPage(page, (test) => test.load());
    assertEquals(await ran(), [1, 1]);
    assertEquals(await inPage(page, (test) => test.text(1_234)), "New by User 1234");
  });

  await t.step("a request alone runs who looks at isFetching, and nobody else", async () => {
    await inPage(page, (test) => test.ask("7"));
    assertEquals(await inPage(page, (test) => test.ran()), { rows: 0, times: 0, busy: 1 });
    assertEquals(await inPage(page, (test) => test.busy()), "busy");
    site.answer();
    await page.waitForFunction("page.busy() === 'idle'");
    assertEquals(await inPage(page, (test) => test.ran()), { rows: 0, times: 0, busy: 1 });
    // An expired film is fetched again. At most the row of this film may render for it.
    await inPage(page, (test) => test.expire("8"));
    const { rows, times } = await inPage(page, (test) => test.ran());
    assert(rows <= 1 && times <= 1, `${rows} rows, ${times} times`);
    site.answer();
    await page.waitForLoadState("networkidle");
    assertEquals(await ran(), [0, 0]);
  });

  await t.step("a row that waits hides the others, and runs none of them", async () => {
    await inPage(page, (test) => test.change(5, "10005"));
    assertEquals((await ran())[0], 1);
    assertEquals(await inPage(page, (test) => test.isHidden()), true);
    await inPage(page, (test) => test.write("Film", "6", { title: "Six" }));
    assertEquals(await ran(), [1, 1]);
    site.titles.set("6", "Six");
    site.answer();
    await page.waitForFunction("!page.isHidden()");
    assertEquals(await ran(), [1, 1]);
    assertEquals(await inPage(page, (test) => test.text(5)), "Film 10005 by User 10005");
    await inPage(page, (test) => test.change(5, "5"));
    assertEquals(await ran(), [1, 1]);
  });

  await t.step("a row that fails, and one that is told of it, run by themselves", async () => {
    for (const row of [3, 19]) {
      await inPage(page, (test, row) => test.change(row, `none${row}`), row);
      assertEquals((await ran())[0], 1);
      site.answer();
      await page.waitForFunction(`page.text(${row}) === 'status 404'`);
      const [rows, times] = await ran();
      assert(rows! <= 1 && times! <= 1, `${rows} rows, ${times} times`);
      await inPage(page, (test, row) => test.change(row, String(row)), row);
      assertEquals(await ran(), [1, 1]);
      assertEquals(await inPage(page, (test, row) => test.text(row), row), `Film ${row} by User ${row}`);
    }
  });

  await t.step("other arguments run their row", async () => {
    await inPage(page, (test) => {
      for (let row = 1; row <= 50; row++) test.change(row, String(row + 1_000));
    });
    assertEquals(await ran(), [50, 50]);
    await inPage(page, (test) => test.write("Film", "1001", { title: "Shared by two rows" }));
    assertEquals(await ran(), [2, 2]);
    await inPage(page, (test) => {
      test.write("Film", "1001", { title: "Film 1001" });
      for (let row = 1; row <= 50; row++) test.change(row, String(row));
    });
    assertEquals((await ran())[0], 51);
    await holds("second");
  });

  await t.step("rows that go and come again run once, and the others do not", async () => {
    await inPage(page, (test) => test.show(0, 5_000));
    assertEquals(await ran(), [0, 0]);
    await inPage(page, (test) => test.write("Film", "9000", { title: "Nobody shows it" }));
    assertEquals(await ran(), [0, 0]);
    await inPage(page, (test) => test.write("User", "u", { name: "Half" }));
    assertEquals(await ran(), [50, 50]);
    await inPage(page, (test) => {
      test.write("User", "u", { name: "Ann" });
      test.write("Film", "9000", { title: "Film 9000" });
    });
    assertEquals(await ran(), [50, 50]);
    await inPage(page, (test) => test.show(0, test.rows));
    assertEquals(await ran(), [5_000, 5_000]);
    await holds("third");
  });

  assertEquals(errors, []);
});
