import { assert, assertEquals } from "@std/assert";
import { IdleHand } from "../../src/denormalize/idle_hand.ts";

function mapOf(count: number): Map<string, number> {
  return new Map(Array.from({ length: count }, (_, at) => [String(at), at]));
}

Deno.test("it finds what nobody uses, the oldest first, and goes round", () => {
  const map = mapOf(10);
  const used = new Set([0, 3, 4]);
  const hand = new IdleHand(map, (value) => !used.has(value));
  const found: string[] = [];
  for (let entry = hand.next(); entry !== undefined; entry = hand.next()) {
    found.push(entry[0]);
    map.delete(entry[0]);
    if (entry[1] === 5) map.set("10", 10);
  }
  assertEquals(found.join(), "1,2,5,6,7,8,9,10");
  used.delete(3);
  assertEquals(hand.next(), ["3", 3], "what it passed over is looked at on the next round");
});

Deno.test("where everything is in use it looks at some only, and at others the next time", () => {
  const looks: number[] = [];
  const hand = new IdleHand(mapOf(1_000), (value) => {
    looks.push(value);
    return value === 500;
  });
  let turns = 1;
  while (hand.next() === undefined) turns++;
  assert(turns > 500 / 20, "it looked at all of them at once");
  assertEquals(looks, Array.from({ length: 501 }, (_, at) => at));
});

Deno.test("after a rest it begins anew; a map without anything has nothing", () => {
  const hand = new IdleHand(mapOf(3), () => true);
  assertEquals([hand.next()?.[0], hand.next()?.[0]], ["0", "1"]);
  hand.rest();
  assertEquals(hand.next()?.[0], "0");
  assertEquals(new IdleHand(new Map(), () => true).next(), undefined);
});
