import { assertEquals, assertThrows } from "@std/assert";
import { readReport } from "../../scripts/coverage.ts";

const REPORT = `
| File               | Branch % | Function % | Line % |
| ------------------ | -------- | ---------- | ------ |
| store/entry.ts     |     95.0 |      100.0 |   97.5 |
| store/slot.ts      |    100.0 |       50.0 |   40.0 |
| All files          |     95.9 |       94.5 |   94.6 |
`;

Deno.test("17. the report of deno coverage is read, the file with the least first", () => {
  assertEquals(readReport(REPORT), { files: [["store/slot.ts", 40], ["store/entry.ts", 97.5]], all: 94.6 });
});

Deno.test("17. what is no report of deno coverage is no coverage of 0 %", () => {
  assertThrows(() => readReport("error: nothing was covered"), Error, "This is no report of deno coverage");
});
