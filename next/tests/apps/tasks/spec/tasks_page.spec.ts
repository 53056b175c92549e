// @vitest-environment happy-dom
// The list of the app, without a server: what a test of somebody's own app looks like under Vitest.
import { fixtures, MockResolver, mount, settled } from "@rejoin/data/testing";
import { h } from "preact";
import { afterEach, expect, test } from "vitest";
import { PersonResource, TaskResource } from "../src/api.ts";
import { TasksPage } from "../src/tasks_page.tsx";

/** Refuses the mutation that waits. */
let refuse = (_reason: string) => {};
const refused = () => new Promise<never>((_, reject) => refuse = (reason) => reject(new Error(reason)));

/** A server with two open tasks. */
function open() {
  const items = [{ id: "2", title: "Write", done: false }, { id: "1", title: "Read", done: false }];
  const api = fixtures([
    { endpoint: PersonResource.getList, response: [{ id: "1", name: "Ann" }] },
    { endpoint: TaskResource.getList.unshift, response: refused },
    { endpoint: TaskResource.getList.move, response: refused },
    { endpoint: TaskResource.getList, response: { items, next: null, total: 2 } },
  ]);
  const app = mount(h(MockResolver, { fixtures: api }, h(TasksPage, { done: false })));
  close = app.unmount;
  return { api, app };
}
let close = () => {};
afterEach(() => close());

const titles = (host: HTMLElement) => [...host.querySelectorAll("li > a")].map((link) => link.textContent);

test("the list is waited for, and shown", async () => {
  const { api, app } = open();
  expect(app.text).toContain("Loading …");
  await settled(api.controller);
  expect(titles(app.host)).toEqual(["Write", "Read"]);
  expect(app.text).toContain("2 in all.");
});

test("a task is there before the server has answered, and goes when it is refused", async () => {
  const { api, app } = open();
  await settled(api.controller);
  app.find<HTMLInputElement>("input[name=title]").value = "Call";
  app.find("form").dispatchEvent(new Event("submit", { bubbles: true, cancelable: true }));
  await settled();
  expect(titles(app.host)).toEqual(["Call", "Write", "Read"]);
  expect(app.text).toContain("Adding …");
  refuse("It is too short.");
  await settled(api.controller);
  expect(titles(app.host)).toEqual(["Write", "Read"]);
  expect(app.find("[role=alert]").textContent).toBe("It is too short.");
  expect(app.find<HTMLInputElement>("input[name=title]").value).toBe("Call");
});

test("a tick takes the row away, and brings it back when it is refused", async () => {
  const { api, app } = open();
  await settled(api.controller);
  app.find<HTMLInputElement>("li input").click();
  await settled();
  expect(titles(app.host)).toEqual(["Read"]);
  refuse("It is locked.");
  await settled(api.controller);
  expect(titles(app.host)).toEqual(["Write", "Read"]);
  expect(app.find("[role=alert]").textContent).toBe("It is locked.");
});
