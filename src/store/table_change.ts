import type { Amendment } from "../schemas/interface.ts";
import type { Stamp } from "./slot.ts";
import type { Table } from "./tables.ts";

/**
 * A change of all rows of a table that match: an item was added to the lists it belongs to. It is remembered while older
 * requests are in flight, for a list that one of them brings was made before it and has to undergo it, too.
 */
export interface TableChange {
  /** Where it stands in the order of writes. */
  readonly stamp: Stamp;
  readonly table: Table;
  readonly changeOf: Amendment["of"];
}
