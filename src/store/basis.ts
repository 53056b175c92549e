import type { Stamp } from "./slot.ts";
import type { Table } from "./tables.ts";

/**
 * What an answer stands on: what its reply asked to remember, and the tables that it wrote to, as they were when it was
 * committed. When the server says "unchanged", it tells whether writing the same answer again would change anything.
 */
export class Basis {
  /** What the endpoint wants to find again. Never leaves the process. */
  readonly memo: unknown;
  /** The stamp of the records that were last written by this answer. */
  readonly stamp: Stamp;
  readonly #tables: readonly Table[] | undefined;
  #versions: readonly number[] = [];
  #result: unknown = undefined;

  /**
   * @param memo What the reply asked to remember.
   * @param stamp The stamp of its write.
   * @param tables The tables that it wrote to. `undefined`: later writes lay over it, so that what is stored was never
   *   this answer.
   */
  constructor(memo: unknown, stamp: Stamp, tables: readonly Table[] | undefined) {
    this.memo = memo;
    this.stamp = stamp;
    this.#tables = tables;
  }

  /**
   * For the commit: from now on, changes of the tables count.
   *
   * @param result What remains of the answer, as it is stored.
   */
  settle(result: unknown): void {
    this.#result = result;
    this.#versions = this.#tables?.map((table) => table.version) ?? [];
  }

  /**
   * Whether everything is as the answer left it.
   *
   * @param result What is stored of it now: others may have put something else there.
   */
  holds(result: unknown): boolean {
    if (result !== this.#result) return false;
    return this.#tables?.every((table, index) => table.version === this.#versions[index]) ?? false;
  }

  /**
   * The same with what a later, equal reply asks to remember.
   *
   * @param memo What that is.
   * @param result What is stored of the answer now.
   */
  renewed(memo: unknown, result: unknown): Basis {
    return new Basis(memo, this.stamp, this.holds(result) ? this.#tables : undefined);
  }
}
