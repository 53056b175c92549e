// The tasks app of tests/apps, built from the packed package, in the engines that are not Chromium: `deno task
// test:engines`. They are large and need Debian's packages, so `deno task test` goes without them.
import { assertEquals } from "@std/assert";
import { PAGE_SIZE, TasksServer } from "../apps/_tasks_server.ts";
import { Consumer } from "../packaging/consumer.ts";
import { ROOT } from "../repo/module_graph.ts";
import { type Engine, ENGINES } from "../support/engines.ts";

/** What goes wrong in the page, in the words of its console; the first script of all keeps it. */
const KEEP_PROBLEMS = `<script>
  globalThis.problems = [];
  addEventListener("error", ({ message, target }) => problems.push(message ?? target.outerHTML), true);
  addEventListener("unhandledrejection", ({ reason }) => problems.push(String(reason)));
  for (const level of ["warn", "error"]) console[level] = (...args) => problems.push(args.join(" "));
</script>`;

let site = "";

Deno.test.beforeAll(async () => {
  const consumer = await Consumer.open("engines");
  await consumer.copy(`${ROOT}tests/apps/tasks`, "tasks");
  const index = await Deno.readTextFile(`${consumer.folder}/tasks/index.html`);
  await consumer.write("tasks/index.html", index.replace("<head>", `<head>${KEEP_PROBLEMS}`));
  site = await consumer.build("tasks");
});

/** A person before the page. */
class Visit {
  constructor(readonly engine: Engine) {}

  /** Clicks what has this text, once it is there. */
  async click(text: string): Promise<void> {
    await this.engine.run(async (text) => {
      const find = () =>
        [...document.querySelectorAll<HTMLElement>("a, button")].find((element) => element.innerText === text);
      while (!find()) await new Promise((resolve) => setTimeout(resolve, 10));
      find()!.click();
    }, text);
  }

  /** Writes into the field of a form, once it is there. */
  async fill(name: string, text: string): Promise<void> {
    await this.engine.run(
      async (name, text) => {
        const find = () => document.querySelector<HTMLInputElement>(`[name=${name}]`);
        while (!find()) await new Promise((resolve) => setTimeout(resolve, 10));
        find()!.value = text;
        find()!.dispatchEvent(new InputEvent("input", { bubbles: true }));
      },
      name,
      text,
    );
  }

  /** Ticks the box of a task. */
  async tick(title: string): Promise<void> {
    await this.engine.run(
      (title) => document.querySelector<HTMLElement>(`[aria-label="Done: ${title}"]`)!.click(),
      title,
    );
  }

  /** Waits for a text that a person can read. */
  async sees(text: string): Promise<void> {
    await this.engine.run(async (text) => {
      while (!document.body.innerText.includes(text)) await new Promise((resolve) => setTimeout(resolve, 10));
    }, text);
  }

  /** Titles of the first rows, once there are so many in all. */
  async rows(count: number, shown: number): Promise<string[]> {
    return await this.engine.run(
      async (count, shown) => {
        const rows = () => [...document.querySelectorAll<HTMLElement>("li > a:first-of-type")];
        while (rows().length !== count) await new Promise((resolve) => setTimeout(resolve, 10));
        return rows().slice(0, shown).map((row) => row.innerText);
      },
      count,
      shown,
    );
  }
}

for (const [name, start] of Object.entries(ENGINES)) {
  Deno.test(`17. the packed app shows a list, an edit at once, and what a server refuses in ${name}`, async () => {
    await using server = new TasksServer(site);
    for (let n = 1; n <= 15; n++) server.add({ title: `Task ${n}`, person: 1 });
    await using engine = await start();
    console.log(engine.version);
    const visit = new Visit(engine);

    await engine.open(`${server.origin}/`);
    await visit.fill("name", "Ann");
    await visit.click("Log in");
    assertEquals(await visit.rows(PAGE_SIZE, 2), ["Task 15", "Task 14"]);
    await visit.click("More");
    assertEquals(await visit.rows(15, 1), ["Task 15"]);

    await visit.click("Task 14");
    await visit.click("Edit");
    await visit.fill("title", "Task fourteen");
    await visit.click("Save");
    await visit.sees("for Ann");
    await visit.click("Tasks");
    assertEquals(await visit.rows(15, 2), ["Task 15", "Task fourteen"]);

    // What is ticked moves to the other list before the server answers, and back when it refuses.
    const { promise, resolve } = Promise.withResolvers<Response>();
    server.gate = (line) => line.startsWith("PATCH") ? promise : undefined;
    await visit.tick("Task 15");
    assertEquals(await visit.rows(14, 1), ["Task fourteen"]);
    resolve(Response.json({ message: "It is locked." }, { status: 409 }));
    await visit.sees("It is locked.");
    assertEquals(await visit.rows(15, 2), ["Task 15", "Task fourteen"]);
    server.gate = undefined;

    // A new row has no id of the server's until it is answered.
    await visit.fill("title", "Call the bank");
    await visit.click("Add");
    await visit.sees("16 in all.");
    assertEquals(await visit.rows(16, 2), ["Call the bank", "Task 15"]);

    assertEquals(await engine.run(() => (globalThis as unknown as { problems: string[] }).problems), []);
  });
}
