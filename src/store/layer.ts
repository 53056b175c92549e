import type { AnyEndpoint } from "../endpoint/interface.ts";
import type { EntityRecord } from "../schemas/plan.ts";
import type { Entry } from "./entry.ts";
import type { Slot } from "./slot.ts";

/** What one pending mutation shows before the server answers. Layers stack in the order in which they started. */
export interface Layer {
  readonly endpoint: AnyEndpoint;
  readonly args: readonly unknown[];
  /** Where the reply will stand in the order of writes, and the layer until then: what is later is seen over it. */
  readonly seq: number;
  /** When it was put there; ms since 1970. */
  readonly date: number;
  /** The temporary names that it has asked for, and what remained of what it showed last. */
  readonly temporary: { readonly ids: string[]; shown: unknown };
}

/**
 * What layers have looked at. A commit that touches none of that changes nothing of what they show: they need not run
 * again.
 */
export interface LookedAt {
  /** Records, or where they would be. */
  readonly slots: Set<Slot>;
  /** The keys of tables of which a record that comes concerns them. */
  readonly tables: Set<string>;
  /** Keys of answers. */
  readonly keys: Set<string>;
}

/** What the layers over a base amount to. */
export interface Overlay {
  /** What readers see of each record that a layer touches; `undefined`: nothing. */
  readonly shown: ReadonlyMap<Slot, EntityRecord | undefined>;
  /** What is shown in place of what remains of answers. */
  readonly results: ReadonlyMap<Entry, unknown>;
  /** The layers that stay. */
  readonly layers: readonly Layer[];
  /** What they were made of. */
  readonly looked: LookedAt;
  /** What was thrown by those that do not. */
  readonly failures: readonly { readonly layer: Layer; readonly reason: unknown }[];
}
