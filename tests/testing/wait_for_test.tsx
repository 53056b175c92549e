import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Controller, isEnding, resource, UsageError } from "@rejoin/data";
import { DataProvider, useDLE } from "@rejoin/data/preact";
import { cleanup, mount, renderDataHook, waitFor } from "@rejoin/data/testing";
import { useEffect, useState } from "preact/hooks";
import { Window } from "happy-dom";
import { Film } from "./_films.ts";

Object.assign(globalThis, { document: new Window().document });

Deno.test("waitFor waits for a real server, and for what an effect shows then", async () => {
  await using server = Deno.serve({ port: 0, onListen() {} }, () => Response.json({ id: "1", title: "one" }));
  const { get } = resource({ urlPrefix: `http://127.0.0.1:${server.addr.port}`, path: "/todos/:id", schema: Film });
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
});

Deno.test("waitFor looks until nothing is thrown, gives what was seen, and says what was wrong when it is late", async () => {
  let looks = 0;
  assertEquals(await waitFor(() => (assert(++looks > 2, "too early"), { looks })), { looks: 3 });
  // Only `false` means that the condition does not hold yet.
  for (const value of [undefined, null, 0, ""]) assertEquals(await waitFor(() => value), value);
  assertEquals(await waitFor(async () => await Promise.resolve(looks++ > 4 && "later")), "later");
  await assertRejects(() => waitFor(() => assert(false, "never"), { timeout: 20 }), Error, "never");
  await assertRejects(() => waitFor(() => looks < 0, { timeout: 20 }), UsageError, "still false after 20 ms: ()=>");
});

Deno.test("cleanup takes out what was mounted, ends effects, stops controllers; what is gone is gone once", async () => {
  let effects = 0;
  const page = mount(<i>left</i>);
  const hook = renderDataHook(() =>
    useEffect(() => {
      effects++;
      return () => effects--;
    })
  );
  await waitFor(() => effects === 1);
  assertEquals([page.text, document.body.children.length], ["left", 2]);
  const { get } = resource({ urlPrefix: "https://api.invalid", path: "/films/:id", schema: Film });
  const reading = hook.controller.fetch(get, { id: "1" }).catch((error) => error);
  await cleanup();
  await cleanup();
  page.unmount();
  assert(isEnding(await reading));
  assertEquals([document.body.children.length, effects], [0, 0]);
  assertThrows(() => page.render("again"), UsageError, "unmounted");
});
