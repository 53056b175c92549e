import "../support/dom.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { Controller, OvertakenError, RejoinError, resource } from "@rejoin/data";
import { DataProvider, useDLE } from "@rejoin/data/preact";
import { cleanup, FakeClock, mount, renderDataHook, waitFor } from "@rejoin/data/testing";
import { useEffect, useState } from "preact/hooks";
import { TodoServer } from "../support/todo_server.ts";
import { Film } from "./_films.ts";

/** What is left of a test that does not tidy up after itself. */
const left: { controller?: Controller; effects: number } = { effects: 0 };

Deno.test("15. waitFor waits for a real server, and for what an effect shows then", async () => {
  await using server = new TodoServer([{ id: "1", title: "one" }]);
  const { get } = resource({ urlPrefix: server.origin, path: "/todos/:id", schema: Film });
  using controller = new Controller();
  function Title() {
    const { data } = useDLE(get, { id: "1" });
    const [text, setText] = useState("");
    useEffect(() => setText(data?.title ?? ""), [data]);
    return <b>{text}</b>;
  }
  await using page = mount(
    <DataProvider controller={controller}>
      <Title />
    </DataProvider>,
  );
  await waitFor(() => page.text === "one");
  assertEquals(server.requests, ["GET /todos/1"]);
});

Deno.test("15. waitFor looks until nothing is thrown, gives what was seen, and says what was wrong when it is late", async () => {
  let looks = 0;
  assertEquals(await waitFor(() => (assert(++looks > 2, "too early"), { looks })), { looks: 3 });
  // Other values than false are values.
  for (const value of [undefined, null, 0, ""]) assertEquals(await waitFor(() => value), value);
  assertEquals(await waitFor(async () => await Promise.resolve(looks++ > 4 && "later")), "later");
  await assertRejects(() => waitFor(() => assert(false, "never"), { timeout: 20 }), Error, "never");
  await assertRejects(() => waitFor(() => looks < 0, { timeout: 20 }), RejoinError, "still false after 20 ms: ()=>");
  using _ = new FakeClock().install();
  await assertRejects(() => waitFor(() => false, { timeout: 5 }), RejoinError, "await clock.tickAsync(ms) first");
});

Deno.test("15. a test that does not tidy up …", () => {
  const page = mount(<i>left</i>);
  const hook = renderDataHook(() =>
    useEffect(() => {
      left.effects++;
      return () => left.effects--;
    })
  );
  left.controller = hook.controller;
  assertEquals([page.text, document.body.children.length], ["left", 2]);
});

Deno.test("15. … leaves nothing to the next one", async () => {
  assertEquals([document.body.children.length, left.effects], [0, 0]);
  const { get } = resource({ urlPrefix: "https://api.example.com", path: "/films/:id", schema: Film });
  await assertRejects(() => left.controller!.fetch(get, { id: "1" }), OvertakenError);
  // By hand it is as good, and what is gone is gone once.
  const page = mount(<i>left</i>);
  await cleanup();
  await cleanup();
  page.unmount();
  assertEquals(document.body.children.length, 0);
});
