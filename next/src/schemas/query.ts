import { equal } from "../plain/equal.ts";
import { lookup } from "../store/lookup.ts";
import type { Node } from "../store/node.ts";
import type { Reading } from "../store/reading.ts";
import type { Tables } from "../store/tables.ts";
import type { Walk } from "../store/walk.ts";
import { argsText } from "../plain/args_text.ts";
import type { Denormalize, SchemaArgs } from "../store/infer.ts";
import type { SchemaObject, SchemaTypes } from "../store/schema.ts";

interface QueryTypes<R, A extends readonly any[]> extends SchemaTypes {
  data: R;
  nullable: R | undefined;
  normalized: any;
  args: A;
}

let count = 0;

/** Something computed of what a schema reads. It never fetches. */
export class Query<S, A extends readonly any[] = SchemaArgs<S>, R = Denormalize<S>> implements SchemaObject {
  declare readonly "~types": QueryTypes<R, A>;
  readonly #name = `Query ${++count} `;
  readonly #outputs = new WeakMap<Node, { input: any; output: any }>();
  readonly parts: S[];

  /** @param process Pure: it runs again only when the schema reads as another object. */
  constructor(
    readonly schema: S,
    readonly process: (value: Denormalize<S>, ...args: A) => R = ((value: any) => value) as any,
  ) {
    this.parts = [schema];
  }
  key(...args: A): string {
    return this.#name + argsText(args);
  }
  queryKey(args: readonly any[], tables: Tables): any {
    return lookup(this.schema, args, tables);
  }
  normalize(value: any, parent: any, key: any, walk: Walk): any {
    return walk.visit(this.schema, value, parent, key);
  }
  denormalize(kept: any, reading: Reading): any {
    const view = reading.view(this.schema, kept), input = view.value, before = this.#outputs.get(view);
    if (before && before.input === input) return before.output;
    let output: any;
    if (input !== undefined) {
      output = this.process(Array.isArray(input) ? input.slice() as any : input, ...view.args as any);
      if (before && equal(output, before.output)) ({ output } = before);
    }
    this.#outputs.set(view, { input, output });
    return output;
  }
}
