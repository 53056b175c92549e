import type { AnySchema } from "../../schemas/interface.ts";
import type { Store } from "../../store/store.ts";
import { REDACTED, redactText, secretTexts } from "../secrets/redact_text.ts";
import { redactedBy, redactedInAll } from "../secrets/redacted_by.ts";
import { withoutMembers } from "../secrets/without_members.ts";

/** Members of a step that come from the app or its server. */
export const DATA: ReadonlySet<string> = /* @__PURE__ */ new Set(["args", "error", "dataExpiryLength"]);

/** The members that a recording is without: those in `static redact` of all classes that it has met. */
export class Secrets {
  readonly #names: Set<string>;
  /** What stood in them among arguments: it may stand in a path, too. */
  readonly #asked = new Set<string>();
  /** How many there were at first. */
  readonly #known: number;

  constructor(store: Store) {
    this.#names = new Set(redactedInAll(store));
    this.#known = this.#names.size;
  }

  /** Takes note of the classes that a schema comes to. */
  meet(schema: AnySchema): void {
    for (const name of redactedBy(schema)) this.#names.add(name);
  }

  /** Takes note of what something is asked with. */
  ask(args: unknown): void {
    for (const text of secretTexts(args, this.#names)) this.#asked.add(text);
  }

  /** What is kept in place of a member; `redact` is the app's own. */
  redact(name: string, value: unknown, redact: ((name: string, value: unknown) => unknown) | undefined): unknown {
    if (this.#names.has(name)) return REDACTED;
    const kept = redact === undefined ? value : redact(name, value);
    return typeof kept === "string" ? this.text(kept) : kept;
  }

  /** A text that may name a request. */
  text(text: string): string {
    return redactText(text, this.#names, this.#asked);
  }

  /** Steps without what classes redact that were met after them: a login may come before the account that it is for. */
  seenNow<T extends { readonly args?: unknown }>(steps: readonly T[]): readonly T[] {
    if (this.#names.size === this.#known) return steps;
    for (const { args } of steps) this.ask(args);
    return steps.map((step) => {
      const kept: Record<string, unknown> = { ...step };
      for (const [name, member] of Object.entries(step)) {
        if (name === "key") kept.key = this.text(member as string);
        else if (name === "keys") kept.keys = (member as string[]).map((key) => this.text(key));
        else if (DATA.has(name) || name === "value") kept[name] = withoutMembers(member, this.#names, REDACTED);
      }
      return kept as T;
    });
  }
}
