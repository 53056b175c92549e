import { argsText } from "../plain/args_text.ts";
import type {
  DataOf,
  EndpointOptions,
  EndpointTypes,
  FetchArgs,
  FetchResult,
  NullableOf,
  OptionOf,
} from "./endpoint_types.ts";

/** A function that fetches, and what there is to know of its answers. `new` returns the function; options are its members. */
class EndpointBase {
  declare name: string;
  constructor(fetch: any, options?: any) {
    const all = typeof fetch == "function" ? { name: fetch.name, ...options, fetch } : fetch;
    const self: any = Object.setPrototypeOf((...args: any[]) => self.fetch(...args), new.target.prototype);
    // `name` of a function cannot be assigned.
    return Object.defineProperties(self, Object.getOwnPropertyDescriptors({ ...all, "~options": all }));
  }
  /** Names the answer of a call in the store. */
  key(...args: any[]): string {
    return `${this.name} ${argsText(args)}`;
  }
  /** Whether a key is one of this endpoint. */
  testKey(key: string): boolean {
    return key.startsWith(`${this.name} `);
  }
  /** The same endpoint with other options. */
  extend(options: any): any {
    return new (this.constructor as any)({ ...(this as any)["~options"], ...options });
  }
}
// Endpoints have what functions have: `call`, `bind`.
Object.setPrototypeOf(EndpointBase.prototype, Function.prototype);

/** An endpoint with arguments `A`, answer `R`, schema `S`, effect `E`. */
export interface EndpointInstance<A extends readonly any[], R, S, E> {
  (...args: A): Promise<R>;
  readonly "~types": EndpointTypes<A, DataOf<R, S>, NullableOf<R, S>>;
  readonly name: string;
  readonly schema: S;
  readonly sideEffect: E;
  key(...args: A): string;
  testKey(key: string): boolean;
  extend<const X extends EndpointOptions & { fetch?: (this: any, ...args: any[]) => Promise<any> }>(
    options: X,
  ):
    & EndpointInstance<FetchArgs<X, A>, FetchResult<X, R>, OptionOf<X, "schema", S>, OptionOf<X, "sideEffect", E>>
    & Omit<X, keyof EndpointOptions | "fetch">;
}
interface EndpointConstructor {
  new <A extends readonly any[], R, S = undefined, E extends boolean | undefined = undefined>(
    fetch: (this: any, ...args: A) => Promise<R>,
    options?: EndpointOptions & { readonly schema?: S; readonly sideEffect?: E },
  ): EndpointInstance<A, R, S, E>;
}
export const Endpoint: EndpointConstructor = EndpointBase as never;
/** For classes that extend it. */
export const EndpointClass: { new (fetch: any, options?: any): any } = EndpointBase as never;
