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

/** What the layers over a base amount to. */
export interface Overlay {
  /** The records that a layer touches. */
  readonly covered: ReadonlyMap<Slot, Covered>;
  /** What is shown in place of what remains of answers. */
  readonly results: ReadonlyMap<Entry, unknown>;
  /** The layers that stay. */
  readonly layers: readonly Layer[];
  /**
   * The tables, and the keys of answers, that they have looked at. A commit that touches none of these changes nothing of
   * what they show: they need not run again.
   */
  readonly looked: ReadonlySet<unknown>;
  /** What they show stands elsewhere in its table since: they run again. */
  readonly isMoved: boolean;
}

/** A record that a layer touches; `undefined`: there is none. */
export interface Covered {
  /** What readers see. */
  readonly shown: EntityRecord | undefined;
  /** What lies below. */
  readonly base: EntityRecord | undefined;
}

/** A layer that was dropped, and why. */
export interface Failure {
  readonly layer: Layer;
  readonly reason: unknown;
}

/** Nothing is pending. */
export const NO_OVERLAY: Overlay = {
  covered: new Map(),
  results: new Map(),
  layers: [],
  looked: new Set(),
  isMoved: false,
};
