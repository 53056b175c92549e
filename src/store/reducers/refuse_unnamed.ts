import { NormalizeError } from "../../errors/normalize_error.ts";
import { said } from "../../errors/texts.ts";
import { pathOf } from "../../errors/path.ts";
import { nameOf } from "../../schemas/subjects.ts";
import type { AnySchema } from "../../schemas/interface.ts";
import type { Store } from "../store.ts";

/**
 * Refuses to write by hand what names a record that the server has not made yet: the base would hold a reference that
 * nobody could ever follow.
 *
 * @throws {NormalizeError} If the value holds such a name.
 */
export function refuseUnnamed(store: Store, value: unknown, schema: AnySchema): void {
  for (const id of store.tables.ids.unnamedIn(value)) {
    throw new NormalizeError(nameOf(schema), pathOf(value, id) ?? "", said(308, { id }));
  }
}
