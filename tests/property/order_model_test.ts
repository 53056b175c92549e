import { assertEquals } from "@std/assert";
import { run } from "../support/order_model.mjs";

const LIVES = Deno.env.get("REJOIN_SOAK") ? 1_000_000 : 20_000;

Deno.test(`the model of rules 10 to 13: ${LIVES} lives against a linearizable server end with what it has`, () => {
  for (let seed = 0; seed < LIVES; seed++) assertEquals(run(seed).bad, [], `seed ${seed}`);
});
