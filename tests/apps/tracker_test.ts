// An issue tracker on an API in the style of Rails, written from the documentation only, built and run as users do.
import { assertEquals } from "@std/assert";
import type { Browser } from "playwright-core";
import { ROOT } from "../repo/module_graph.ts";
import { Consumer } from "../packaging/consumer.ts";
import { launch } from "../support/browser.ts";
import { PER_PAGE, TrackerServer } from "./_tracker_server.ts";
import { VIEWPORTS, Visit } from "./_visit.ts";

let consumer: Consumer | undefined;
let site = "";
let browser: Browser | undefined;

Deno.test.beforeAll(async () => {
  consumer = await Consumer.open("tracker");
  await consumer.copy(`${ROOT}tests/apps/tracker`, "tracker");
  [site, browser] = await Promise.all([consumer.build("tracker"), launch()]);
});

Deno.test.afterAll(async () => {
  await browser?.close();
});

for (const [device, options] of Object.entries(VIEWPORTS)) {
  Deno.test(`the tracker does what a person expects on a ${device}`, async (t) => {
    await using visit = await Visit.start(browser!, options, new TrackerServer(site));
    const { page, server } = visit;
    const signIn = async (password = "secret") => {
      await page.getByLabel("Name").fill("Ann");
      await page.getByLabel("Password").fill(password);
      await visit.button("Sign in").click();
    };
    for (let n = 1; n <= 20; n++) {
      server.add({ title: `${n % 5 === 0 ? "Crash" : "Bug"} ${n}`, assignee_id: 1 + n % 2, body: `About ${n}.` }, 2);
    }
    server.comment(20, "I see it, too.", 2);
    server.edit(3, { state: "closed" }, 2);
    // The next step depends on this one.
    const step = async (name: string, act: () => Promise<void>) => {
      if (!await t.step(name, act)) throw new Error(`${name}: ${server.requests.slice(-8).join(", ")}`);
    };

    await step("a wrong password is said at the form, a right one opens the list", async () => {
      await page.goto(`${server.origin}/`);
      await signIn("wrong");
      await visit.sees("Wrong name or password.");
      await signIn();
      await visit.rows("Crash 20", "Bug 19");
      await visit.sees("19 issues");
      await visit.fits();
    });

    await step("the list is filtered, sorted and paged, and each page is asked for once", async () => {
      const lines = await visit.asked(async () => {
        await page.getByLabel("Assignee").selectOption("Bob");
        await visit.rows("Bug 19", "Bug 17");
        await visit.sees("9 issues");
        await page.getByLabel("Sort").selectOption("Oldest");
        await visit.rows("Bug 1", "Crash 5");
        await visit.button("2").click();
        await visit.rows("Bug 19");
        await visit.button("1").click();
        await visit.rows("Bug 1", "Crash 5");
      });
      assertEquals(lines, [
        "GET /api/issues?assignee_id=2&page=1&state=open",
        "GET /api/issues?assignee_id=2&page=1&sort=created_at&state=open",
        "GET /api/issues?assignee_id=2&page=2&sort=created_at&state=open",
      ]);
      await page.getByLabel("State").selectOption("Closed");
      await visit.rows("Bug 3");
      await visit.sees("1 issue");
      await visit.link("Issues").click();
      await visit.rows("Crash 20");
    });

    await step("the search asks once for what was typed, and the old rows stay meanwhile", async () => {
      const release = visit.hold(/q=/);
      const lines = await visit.asked(async () => {
        // Typed by the page itself, because a slow machine may rest between two keys from outside.
        await page.getByLabel("Search").evaluate(async (field: HTMLInputElement) => {
          for (const value of ["c", "cr", "cra", "cras", "crash"]) {
            Object.assign(field, { value }).dispatchEvent(new InputEvent("input", { bubbles: true }));
            await new Promise((go) => setTimeout(go, 20));
          }
        });
        await page.locator("ul[aria-busy=true]").waitFor();
        assertEquals(await page.getByRole("listitem").count(), PER_PAGE);
        release();
        await visit.rows("Crash 20", "Crash 15", "Crash 10", "Crash 5");
      });
      assertEquals(lines, ["GET /api/issues?page=1&q=crash&state=open"]);
      await visit.sees("4 issues");
    });

    await step("an issue has what the list did not send, and a comment is there at once", async () => {
      await visit.link("Crash 20").click();
      await visit.heading("Crash 20");
      await visit.sees("About 20.");
      await visit.sees("1 comment");
      const release = visit.hold(/POST/);
      await page.getByRole("textbox", { name: "Comment" }).fill("Fixed on main.");
      await visit.button("Add comment").click();
      await visit.sees("Ann · sending …");
      await visit.sees("Fixed on main.");
      release();
      await visit.sees("2 comments");
      await page.getByText("sending …").waitFor({ state: "hidden" });
      await visit.button("Add comment").click();
      await visit.sees("Comment can't be blank");
      assertEquals(await page.getByRole("list", { name: "Comments" }).getByRole("listitem").count(), 2);
      await visit.fits();
    });

    await step("a new issue that is refused says so at its fields, and joins the list when it is right", async () => {
      await visit.link("New issue").click();
      await page.getByLabel("Description").fill("x".repeat(501));
      await visit.button("Save").click();
      await visit.sees("Title can't be blank");
      await visit.sees("Description is too long (maximum is 500 characters)");
      await page.getByLabel("Title").fill("Add a dark theme");
      await page.getByLabel("Description").fill("Please.");
      await page.getByLabel("Assignee").selectOption("Cem");
      const lines = await visit.asked(async () => {
        await visit.button("Save").click();
        await visit.heading("Add a dark theme");
        await visit.sees("Open · Cem");
      });
      assertEquals(lines, [
        'POST /api/issues {"issue":{"title":"Add a dark theme","body":"Please.","assignee_id":3}}',
        "GET /api/issues/21/comments",
      ]);
      await visit.link("Issues").click();
      await visit.rows("Add a dark theme", "Crash 20");
      await visit.sees("20 issues");
    });

    await step("an edit that is refused changes nothing, and a right one shows everywhere", async () => {
      await visit.link("Add a dark theme").click();
      await visit.link("Edit").click();
      assertEquals(await page.getByLabel("Assignee").locator("option:checked").innerText(), "Cem");
      await page.getByLabel("Title").fill("");
      await visit.button("Save").click();
      await visit.sees("Title can't be blank");
      await page.getByLabel("Title").fill("Dark theme");
      await page.getByLabel("Assignee").selectOption("Nobody");
      await visit.button("Save").click();
      await visit.heading("Dark theme");
      await visit.sees("Open · nobody");
      await visit.link("Issues").click();
      await visit.rows("Dark theme", "Crash 20");
    });

    await step("an issue is deleted on its page, and the list is there without it", async () => {
      await visit.link("Dark theme").click();
      const release = visit.hold(/DELETE/);
      const lines = await visit.asked(async () => {
        await visit.button("Delete").click();
        await visit.sees("Deleting …");
        await visit.rows("Crash 20", "Bug 19");
        release();
        await visit.sees("19 issues");
      });
      assertEquals(lines, ["DELETE /api/issues/21", "GET /api/issues?page=1&state=open"]);
    });

    await step("selected issues are closed in one request, and leave the list of open ones", async () => {
      await page.getByLabel("Select Bug 19").check();
      await page.getByLabel("Select Bug 18").check();
      const release = visit.hold(/POST/);
      const lines = await visit.asked(async () => {
        await visit.button("Close 2 selected").click();
        await visit.sees("closed · ");
        release();
        await visit.rows("Crash 20", "Bug 17");
        await visit.sees("17 issues");
      });
      assertEquals(lines, ['POST /api/issues/close {"ids":[19,18]}', "GET /api/issues?page=1&state=open"]);
    });

    await step("the feed has what was done, and loads more at its end", async () => {
      const lines = await visit.asked(async () => {
        await visit.link("Activity").click();
        await visit.sees("Ann closed Bug 18");
        await page.waitForFunction(() => {
          scrollTo(0, document.body.scrollHeight);
          return document.body.innerText.includes("This is where it began.");
        });
      });
      assertEquals(lines, ["GET /api/activity", "GET /api/activity?before=16", "GET /api/activity?before=6"]);
      const events = await page.getByRole("listitem").allInnerTexts();
      assertEquals(events.slice(0, 3), ["Ann closed Bug 18", "Ann closed Bug 19", "Ann commented Crash 20"]);
      assertEquals(events.at(-1), "Bob opened Bug 1");
      assertEquals(events.length, 25);
    });

    await step("the end of the session leads to the sign-in page, also where something is sent", async () => {
      await visit.link("Bug 17").first().click();
      await visit.heading("Bug 17");
      server.sessions.clear();
      await page.getByRole("textbox", { name: "Comment" }).fill("Too late");
      await visit.button("Add comment").click();
      await visit.heading("Sign in");
      assertEquals(await page.getByRole("alert").count(), 0);
      const lines = await visit.asked(async () => {
        await signIn();
        await visit.heading("Bug 17");
        await visit.sees("About 17.");
      });
      assertEquals(lines[0], 'POST /api/session {"name":"Ann","password":"secret"}');
      assertEquals(lines.slice(1).toSorted(), ["GET /api/issues/17", "GET /api/issues/17/comments"]);
      server.sessions.clear();
      await visit.link("Activity").click();
      await visit.heading("Sign in");
    });

    assertEquals(visit.problems, []);
  });
}

Deno.test("the tracker fits its types", async () => {
  await consumer!.checkTypes("tracker/tsconfig.json");
});
