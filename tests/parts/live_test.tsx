/** A subscription that a stream serves is not polled, although a hook uses it. */
import { tick } from "../dom.ts";
import { assertEquals } from "@std/assert";
import { Controller, Endpoint, StreamManager } from "@rejoin/data";
import { DataProvider, useSubscription } from "@rejoin/data/preact";
import { render } from "preact";

Deno.test("a component subscribes at the stream while it is mounted, and polls nothing", async () => {
  const sent: string[] = [];
  let asked = 0;
  const get = new Endpoint((id: string) => Promise.resolve(`${id} ${++asked}`), { name: "get", pollFrequency: 2 });
  const controller = new Controller({
    use: [
      new StreamManager({
        source: (listener) => {
          listener.open();
          return { close() {}, send: (text) => void sent.push(text) };
        },
        subscribe: ({ args }) => `join ${args[0]}`,
        unsubscribe: ({ args }) => `leave ${args[0]}`,
      }),
    ],
  });
  function Room({ id }: { id: string | null }) {
    useSubscription(get, id as string);
    return null;
  }
  const root = document.createElement("div"), expected = ["join a", "leave a", "join b", "leave b"];
  for (const [id, count] of [["a", 1], ["b", 3], [null, 4]] as const) {
    render(
      <DataProvider controller={controller}>
        <Room id={id} />
      </DataProvider>,
      root,
    );
    do await tick(10); while (sent.length < count);
  }
  render(null, root);
  assertEquals([sent, asked], [expected, 0]);
  controller.cleanup();
});
