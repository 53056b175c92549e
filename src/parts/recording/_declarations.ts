import { said } from "../../errors/texts.ts";
import type { AnyEndpoint } from "../../endpoint/interface.ts";
import { EndpointError } from "../../errors/endpoint_error.ts";
import { RejoinError } from "../../errors/rejoin_error.ts";
import { SchemaError } from "../../errors/schema_error.ts";
import { nameOf } from "../../schemas/subjects.ts";
import type { AnySchema } from "../../schemas/interface.ts";
import { partsOf } from "../parts_of.ts";

/** What tells a schema from others: how messages name it, and the name of its class. */
export function namesOf(schema: AnySchema): readonly [name: string, className: string] {
  return [nameOf(schema), (schema as { readonly name?: string } | undefined)?.name ?? ""];
}

/** What an app has declared, by name. */
export class Declarations {
  readonly #endpoints = new Map<string, AnyEndpoint[]>();
  readonly #schemas = new Map<string, AnySchema[]>();

  /**
   * @param endpoints Endpoints, resources, and whatever else has endpoints as members. The schemas of the endpoints, and what is in them, count as declared.
   * @param schemas Others.
   */
  constructor(endpoints: Iterable<object>, schemas: Iterable<AnySchema>) {
    if (typeof endpoints?.[Symbol.iterator] !== "function") {
      throw new RejoinError(said(650));
    }
    const roots = [...schemas];
    for (const declared of endpoints) {
      const members = typeof declared === "function" ? [declared] : Object.values(declared);
      for (const endpoint of members.filter(isEndpoint)) {
        push(this.#endpoints, endpoint.name, endpoint);
        roots.push(endpoint.schema);
      }
    }
    const seen = new Set<unknown>();
    for (const schema of roots) {
      if (schema === undefined || schema === null || seen.has(schema)) continue;
      seen.add(schema);
      push(this.#schemas, nameOf(schema), schema);
      roots.push(...partsOf(schema));
    }
  }

  /**
   * The endpoint that a call was made with. It gives the key of the call, also where arguments were left out or redacted.
   *
   * @param call Its name, its key, and the arguments.
   * @throws {EndpointError} If there is none.
   */
  endpoint(
    { endpoint: name, key }: { readonly endpoint: string; readonly key: string },
    args: readonly unknown[],
  ): AnyEndpoint {
    const found = this.#endpoints.get(name) ?? this.#memberOf(name);
    // Endpoints of one path may differ by method only, which is in the key.
    const exact = found?.find((endpoint) => keyOf(endpoint, args) === key);
    const named = exact ?? found?.[0]?.extend({ key: () => key });
    if (named !== undefined) return named;
    throw new EndpointError(name, said(651, { name }));
  }

  /** The read that an answer came from; `undefined` where it is not among those given. */
  readOf(key: string, args: readonly unknown[]): AnyEndpoint | undefined {
    for (const endpoints of this.#endpoints.values()) {
      const read = endpoints.find((endpoint) => !endpoint.sideEffect && keyOf(endpoint, args) === key);
      if (read !== undefined) return read;
    }
    return undefined;
  }

  /**
   * The schema that something was set with.
   *
   * @param names What `namesOf` gave.
   * @throws {SchemaError} If there is none.
   */
  schema([name, className]: readonly [name: string, className: string]): AnySchema {
    const found = this.#schemas.get(name);
    const exact = found?.find((schema) => namesOf(schema)[1] === className) ?? found?.[0];
    if (exact !== undefined) return exact;
    throw new SchemaError(said(652, { name }));
  }

  /** The verbs of a list are members of its endpoint: `Article.getList.push`. */
  #memberOf(name: string): AnyEndpoint[] | undefined {
    const at = name.lastIndexOf(".");
    const [owner] = this.#endpoints.get(name.slice(0, at)) ?? [];
    const member: unknown = (owner as unknown as { readonly [name: string]: unknown } | undefined)
      ?.[name.slice(at + 1)];
    return isEndpoint(member) ? [member] : undefined;
  }
}

function isEndpoint(value: unknown): value is AnyEndpoint {
  return typeof value === "function" && typeof (value as Partial<AnyEndpoint>).key === "function";
}

function keyOf(endpoint: AnyEndpoint, args: readonly unknown[]): string | undefined {
  try {
    return endpoint.key(...args);
  } catch {
    return undefined;
  }
}

function push<T>(lists: Map<string, T[]>, name: string, item: T): void {
  lists.set(name, [...lists.get(name) ?? [], item]);
}
