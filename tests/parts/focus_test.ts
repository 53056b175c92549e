// deno-lint-ignore-file no-explicit-any
import { focus, NetworkError, polling } from "@rejoin/data";
import { assertEquals } from "@std/assert";
import { mount, test, tick, wired } from "../support/wired.ts";

/** Fakes a page that can be hidden, shown, offline and online. */
async function onPage(run: (page: { visibilityState: string }) => Promise<void>): Promise<void> {
  const page: any = { visibilityState: "visible" };
  Object.defineProperty(globalThis, "document", { value: page, configurable: true });
  try {
    await run(page);
  } finally {
    delete (globalThis as any).document;
  }
}
const say = (name: string) => globalThis.dispatchEvent(new Event(name));

test("rules 15, 16: on focus and reconnect mounted reads that are stale or failed are asked again, each once", () =>
  onPage(async (page) => {
    const { R, c, calls, go, refuse } = wired(undefined, {}, [focus()]);
    const readers = ["stale", "failed", "fresh"].map((id) => mount(c, R.get, { id }));
    await go(calls[0], { id: "stale" });
    await refuse(calls[1], 503);
    await go(calls[2], { id: "fresh" });
    c.setResponse(R.get, { id: "unmounted" }, { id: "unmounted" });
    // Stale data are not fetched before an event.
    for (const id of ["stale", "unmounted"]) c.store.answer(R.get, [{ id }]).expiresAt = 1;
    assertEquals(calls.length, 3);
    say("focus");
    page.visibilityState = "visible";
    say("visibilitychange");
    assertEquals(calls.slice(3).map(({ params }) => params.id), ["stale", "failed"]);
    await go(calls[3], { id: "stale" });
    await refuse(calls[4], 404);
    say("online");
    assertEquals(calls.slice(5).map(({ params }) => params.id), ["failed"]);
    page.visibilityState = "hidden";
    await refuse(calls[5], 404);
    say("focus");
    say("online");
    assertEquals(calls.length, 6);
    page.visibilityState = "visible";
    c.cleanup();
    say("focus");
    assertEquals(calls.length, 6);
    readers.forEach((reader) => reader.stop());
  }));
test("focus({ focus: false }) reacts to the network only, { reconnect: false } to the focus only", () =>
  onPage(async () => {
    for (
      const [options, event, other] of [[{ focus: false }, "online", "focus"], [
        { reconnect: false },
        "focus",
        "online",
      ]] as const
    ) {
      const { R, c, calls, refuse } = wired(undefined, {}, [focus(options)]), reader = mount(c, R.get, { id: "1" });
      await refuse(calls[0], 503);
      say(other);
      assertEquals(calls.length, 1);
      say(event);
      assertEquals(calls.length, 2);
      reader.stop();
      c.cleanup();
    }
  }));
test("polling: asks every pollFrequency ms; hidden and offline pages ask nothing; failures go on", () =>
  onPage(async (page) => {
    const { R, c, calls, go } = wired(undefined, { pollFrequency: 15 }, [polling()]);
    c.subscribe(R.getList);
    c.subscribe(R.getList);
    c.unsubscribe(R.getList);
    const next = async (count: number) => {
      const { length } = calls;
      for (let at = 0; at < (count ? 2_000 : 20) && calls.length === length; at++) await tick(5);
      assertEquals(calls.length - length, count);
    };
    await next(1);
    // No poll starts while the request of the last one is in flight.
    await next(0);
    calls[0].fail(new NetworkError(601));
    await next(1);
    await go(calls[1], []);
    page.visibilityState = "hidden";
    await next(0);
    page.visibilityState = "visible";
    await next(1);
    await go(calls[2], []);
    c.unsubscribe(R.getList);
    await next(0);
    c.subscribe(R.getList);
    c.cleanup();
    await next(0);
    c.subscribe(R.getList.extend({ pollFrequency: Infinity }));
    await next(0);
    c.cleanup();
  }));
