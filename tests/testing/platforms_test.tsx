/** The kit where a test runner has taken something of the platform: fake timers, or Jest with jsdom. */
import { assertEquals } from "@std/assert";
import { Controller, resource } from "@rejoin/data";
import { useState } from "preact/hooks";
import { Window } from "happy-dom";
import { Film } from "./_films.ts";

Object.assign(globalThis, { document: new Window().document });
// `jest-environment-jsdom` has neither.
for (const name of ["setImmediate", "MessageChannel"]) Reflect.deleteProperty(globalThis, name);
const { cleanup, mount, settled } = await import("@rejoin/data/testing");

Deno.test("settled waits for renderings without setImmediate, MessageChannel and queueMicrotask", async () => {
  const real = globalThis.queueMicrotask;
  let show: (text: string) => void;
  function Title() {
    const [text, setText] = useState("old");
    show = setText;
    return <b>{text}</b>;
  }
  // As fake timers do.
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

Deno.test("expiresAt is a time where fake timers have replaced performance.timeOrigin", () => {
  // As @sinonjs/fake-timers 13 does, and Jest 29 with it.
  Object.defineProperty(performance, "timeOrigin", { value: () => 0, configurable: true });
  const { get } = resource({ urlPrefix: "https://api.invalid", path: "/films/:id", schema: Film });
  const controller = new Controller();
  controller.setResponse(get, { id: "1" }, { id: "1", title: "one" });
  assertEquals(Math.round((controller.getResponse(get, { id: "1" }).expiresAt - Date.now()) / 1e4), 6);
  Reflect.deleteProperty(performance, "timeOrigin");
});
