import { assertEquals } from "@std/assert";
import { readSummary, verdict } from "../../scripts/test.ts";

Deno.test("readSummary takes the last summary when a test prints one of its own", () => {
  const output =
    "ok | 9 passed | 9 failed (1ms)\nx ... ok\n\nFAILED | 4 passed (1 step) | 2 failed (1 step) | 1 ignored (3s)\n";
  assertEquals(readSummary(output), { passed: 4, failed: 2 });
});

Deno.test("readSummary reads the numbers when the line is coloured", () => {
  assertEquals(readSummary("\n\x1b[0m\x1b[32mok\x1b[0m | 57 passed | 0 failed \x1b[0m\x1b[38;5;245m(322ms)\x1b[0m\n"), {
    passed: 57,
    failed: 0,
  });
});

Deno.test("readSummary reads nothing when the run broke off", () => {
  assertEquals(readSummary("error: Type checking failed.\n"), undefined);
});

Deno.test("verdict has a failure when the run did not end well", () => {
  assertEquals(verdict(undefined, false), { passed: 0, failed: 1 });
  assertEquals(verdict(undefined, true), { passed: 0, failed: 1 });
  assertEquals(verdict({ passed: 0, failed: 0 }, true), { passed: 0, failed: 1 });
  assertEquals(verdict({ passed: 5, failed: 0 }, false), { passed: 5, failed: 1 });
  assertEquals(verdict({ passed: 5, failed: 2 }, false), { passed: 5, failed: 2 });
  assertEquals(verdict({ passed: 5, failed: 0 }, true), { passed: 5, failed: 0 });
});
