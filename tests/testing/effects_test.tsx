// Not by way of tests/support/dom.ts, which keeps effects waiting: here they run as in a test of an app.
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Window } from "happy-dom";
import { Component, options, render } from "preact";
import { useEffect } from "preact/hooks";
import { RejoinError } from "@rejoin/data";
import { cleanup, flush, mount, settled } from "@rejoin/data/testing";

Object.assign(globalThis, { document: new Window().document });

function Page({ seen }: { seen: string[] }) {
  useEffect(() => {
    seen.push("shown");
    return () => seen.push("gone");
  }, []);
  return <p>page</p>;
}

Deno.test("15. effects of what mount() shows run soon by themselves, and leave no timer to the platform", async () => {
  const seen: string[] = [];
  const app = mount(<Page seen={seen} />);
  assertEquals(seen, []);
  await flush();
  await flush();
  assertEquals(seen, ["shown"]);
  app.unmount();
  assertEquals([seen, options.requestAnimationFrame], [["shown", "gone"], undefined]);
});

Deno.test("15. settled runs effects of what others have rendered, and their frames are their own again", async () => {
  const seen: string[] = [];
  const frames: (() => void)[] = [];
  const own = (run: () => void) => void frames.push(run);
  options.requestAnimationFrame = own;
  const host = document.createElement("div");
  try {
    render(<Page seen={seen} />, host);
    assertEquals(frames.length, 1);
    await settled();
    assertEquals([seen, options.requestAnimationFrame === own], [["shown"], true]);
    render(null, host);
    await settled();
    assertEquals(seen, ["shown", "gone"]);
  } finally {
    delete (options as { requestAnimationFrame?: unknown }).requestAnimationFrame;
  }
});

Deno.test("15. of several apps the last one to go gives the frames back, whatever the order", async () => {
  const seen: string[] = [];
  const [first, second] = [mount(<Page seen={seen} />), mount(<Page seen={seen} />)];
  first.unmount();
  first.unmount();
  await settled();
  assertEquals(seen, ["shown"]);
  second.unmount();
  assertEquals(options.requestAnimationFrame, undefined);
});

Deno.test("15. what was unmounted cannot be rendered into: nobody would take that off the page again", () => {
  const seen: string[] = [];
  const page = mount("before");
  page.unmount();
  const error = assertThrows(() => page.render(<Page seen={seen} />), RejoinError);
  assertEquals([error.message.includes("call mount() or"), page.host.childNodes.length], [true, 0]);
});

Deno.test("15. what throws as it is taken off the page is gone all the same, and so is what stands beside it", async () => {
  class Bad extends Component {
    override componentWillUnmount(): void {
      throw new Error("not so fast");
    }
    override render(): string {
      return "bad";
    }
  }
  mount("before");
  const page = mount(<Bad />);
  mount("after");
  await assertRejects(() => cleanup(), Error, "not so fast");
  assertEquals([document.body.textContent, page.host.isConnected, options.requestAnimationFrame], [
    "",
    false,
    undefined,
  ]);
});
