/** Makes controllers that watch, drops them, and says how many the collector of garbage has left. */
import { Controller, Entity, memory, schema } from "@rejoin/data";
import { watch } from "../../../src/store/watch.ts";

class Film extends Entity {
  id = "";
  static key = "Film";
}
const COUNT = 50;
const gone: WeakRef<Controller>[] = [];

function make(): void {
  const controller = new Controller({ use: [memory()] });
  const stop = watch(controller.store, controller.store.graph.query(new schema.All(Film), []), () => {});
  controller.set(Film, "1", { id: "1" });
  stop();
  gone.push(new WeakRef(controller));
}

for (let i = 0; i < COUNT; i++) make();
for (let turn = 0; turn < 5; turn++) {
  // What a weak reference gave is kept until the turn of the event loop ends.
  await new Promise((resolve) => setTimeout(resolve, 0));
  (globalThis as unknown as { gc(): void }).gc();
}
const left = gone.filter((ref) => ref.deref() !== undefined).length;
console.log(left === 0 ? `all ${COUNT} are gone` : `${left} of ${COUNT} are left`);
Deno.exit(0);
