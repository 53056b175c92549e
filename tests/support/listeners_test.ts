import { assertEquals } from "@std/assert";
import { countListeners } from "./listeners.ts";

Deno.test("countListeners counts what is added and not removed, and the listeners still work", () => {
  const controller = new AbortController();
  const listeners = countListeners(controller.signal);
  const heard: string[] = [];
  const [first, second] = [() => heard.push("first"), () => heard.push("second")];
  controller.signal.addEventListener("abort", first);
  controller.signal.addEventListener("abort", first);
  controller.signal.addEventListener("abort", second);
  assertEquals(listeners.count, 2);
  controller.signal.removeEventListener("abort", first);
  assertEquals(listeners.count, 1);
  controller.abort();
  assertEquals(heard, ["second"]);
});
