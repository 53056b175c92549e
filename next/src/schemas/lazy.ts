import type { Reading } from "../store/reading.ts";
import type { Walk } from "../store/walk.ts";
import type { Normalize } from "../store/infer.ts";
import { Query } from "./query.ts";
import type { Schema, SchemaObject, SchemaTypes } from "../store/schema.ts";

interface LazyTypes<S> extends SchemaTypes {
  data: Normalize<S>;
  nullable: Normalize<S> | undefined;
  normalized: Normalize<S>;
  args: [];
}

/** A member that reads as pks: `lazy.query` joins them, in a component of its own. */
export class Lazy<S = any> implements SchemaObject {
  declare readonly "~types": LazyTypes<S>;
  readonly parts: Schema[];
  /** Reads the pks that are its argument. */
  readonly query: Query<any, [pks: Normalize<S>], any>;
  constructor(schema: S) {
    this.parts = [schema];
    this.query = new Query({
      normalize: (value: any) => value,
      denormalize: (kept: any, reading: Reading) => reading.shape(schema, kept),
      queryKey: ([pks]: any) => pks,
      parts: this.parts,
    });
  }
  normalize(value: any, parent: any, key: any, walk: Walk): any {
    return walk.visit(this.parts[0], value, parent, key);
  }
  denormalize(kept: any): any {
    return kept;
  }
}
