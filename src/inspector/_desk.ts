import type { Controller } from "../controller/controller.ts";
import type { State } from "../parts/state/form.ts";
import type { Ledger } from "./_ledger.ts";
import type { Thing } from "./_neighbours.ts";

/** What the tabs of a panel share. */
export interface Desk {
  readonly controller: Controller;
  readonly ledger: Ledger;
  /** The moment that is looked at; `undefined`: now. */
  readonly past: { readonly id: number; readonly at: number; readonly state: State } | undefined;
  /** Whether the page shows that moment, too. */
  readonly isOnPage: boolean;
  /** Why the page cannot show it; `""`: it can. */
  readonly refusal: string;
  /** Shows everything anew. */
  show(): void;
  /** Looks at another moment; `undefined`: at now. */
  lookAt(id: number | undefined): void;
  /** Shows the moment that is looked at to the page, or the present again. */
  showOnPage(isOn: boolean): void;
  /** Lights up where something stands on the page. */
  point(thing: Thing | undefined): void;
  /** Opens a record, a list or an answer. */
  open(thing: Thing): void;
}

/** One tab of a panel. */
export interface Tab {
  readonly name: string;
  readonly element: HTMLElement;
  /** Brings it up to date; only called while it is seen. */
  show(): void;
}
