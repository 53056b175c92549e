/** The kit where a test runner has taken something of the platform: fake timers, or Jest with jsdom. */
import { assertEquals } from "@std/assert";
import { Controller, resource } from "@rejoin/data";
import { useState } from "preact/hooks";
import { Window } from "happy-dom";
import { Film } from "./_films.ts";

Object.assign(globalThis, { document: new Window().document });
// `jest-environment-jsdom` has neither.
for (const name of ["setImmediate", "MessageChannel"]) Reflect.deleteProperty(globalThis, name);
const { cleanup, fixtures, flush, mount, settled } = await import("@rejoin/data/testing");

Deno.test("flush needs neither setImmediate nor MessageChannel", async () => {
  const steps: number[] = [];
  Promise.resolve().then(() => steps.push(1)).then(() => steps.push(2));
  await flush();
  assertEquals(steps, [1, 2]);
});

Deno.test("settled waits for renderings where fake timers have taken queueMicrotask", async () => {
  const real = globalThis.queueMicrotask;
  let show: (text: string) => void;
  function Title() {
    const [text, setText] = useState("old");
    show = setText;
    return <b>{text}</b>;
  }
  globalThis.queueMicrotask = () => {};
  try {
    const page = mount(<Title />);
    show!("new");
    await settled();
    assertEquals(page.text, "new");
    await cleanup();
  } finally {
    globalThis.queueMicrotask = real;
  }
});

Deno.test("expiresAt is a time where fake timers have replaced performance.timeOrigin", async () => {
  // As @sinonjs/fake-timers 13 does, and Jest 29 with it.
  Object.defineProperty(performance, "timeOrigin", { value: () => 0, configurable: true });
  const { get } = resource({ urlPrefix: "https://api.invalid", path: "/films/:id", schema: Film });
  using controller = new Controller({ use: [fixtures([{ endpoint: get, response: { id: "1", title: "one" } }])] });
  await controller.fetch(get, { id: "1" });
  const { expiresAt } = controller.getResponse(get, { id: "1" });
  assertEquals(Math.round((expiresAt - Date.now()) / 1e4), 6);
  Reflect.deleteProperty(performance, "timeOrigin");
});
