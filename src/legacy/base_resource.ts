import type { AnyEndpoint } from "../endpoint/interface.ts";
import { UrlError } from "../errors/url_error.ts";
import { Entity, type OverridableStatics } from "../schemas/entity.ts";
import type { Pk } from "../schemas/pk_types.ts";
import { addressOf, callerOf, ClassEndpoint } from "./_class_endpoint.ts";
import { memoOf, type Owner } from "./_endpoints.ts";
import { listUrl, recordUrl, rootOf } from "./_urls.ts";
import type { ResourceExtendOptions } from "./resource_endpoint.ts";
import type {
  OverridableResourceStatics,
  ResourceInput,
  ResourceInstance,
  ResourceStatics,
} from "./resource_statics.ts";

/**
 * The `url` of an instance. Its own, and not on the prototype: what the server sends under that name, or a class declares,
 * takes its place.
 */
const URL_MEMBER: PropertyDescriptor & ThisType<object> = {
  get() {
    const resource = this.constructor as Owner;
    try {
      return resource.url(this);
    } catch (error) {
      if (!(error instanceof UrlError)) throw error;
      return rootOf(resource);
    }
  },
  set(value: unknown) {
    Object.defineProperty(this, "url", { value, writable: true, enumerable: true, configurable: true });
  },
  configurable: true,
  enumerable: false,
};

interface Plain extends Pick<typeof Entity, "fromJS" | "defaults"> {
  new (): ResourceInstance;
}

const Base = class BaseResource extends (Entity as unknown as new () => object) {
  static get key(): string {
    return rootOf(this as Owner);
  }
  // A setter of its own: beside a getter alone, that of Entity could not be reached.
  static set key(value: string) {
    Object.defineProperty(this, "key", { value, writable: true, configurable: true, enumerable: true });
  }

  /** As in 5.0: `` `${Article}` `` names its table. */
  static override toString(this: Owner): string {
    try {
      return this.key;
    } catch {
      return this.name;
    }
  }

  static url = recordUrl;
  static listUrl = listUrl;

  static async fetch(this: Owner, input: ResourceInput, init: RequestInit): Promise<unknown> {
    const { endpoint, args } = callerOf(init, this);
    return await endpoint.send(addressOf(input, this), init, args);
  }

  static async fetchResponse(this: Owner, input: ResourceInput, init: RequestInit): Promise<Response> {
    return await callerOf(init, this).endpoint.answer(addressOf(input, this), init);
  }

  static init(this: ResourceStatics, init: RequestInit): RequestInit {
    return this.getFetchInit(init);
  }

  static getFetchInit(init: RequestInit): RequestInit {
    return init;
  }

  static getEndpointExtra(): ResourceExtendOptions | undefined {
    return undefined;
  }

  static memo<E extends AnyEndpoint>(name: string, construct: () => E): E {
    const label = name.replace(/^#/, "");
    return memoOf(this, `app ${label}`, () => construct().extend({ name: `${this.name}.${label}` })) as E;
  }

  static endpoint(this: Owner): AnyEndpoint {
    return memoOf(this, "endpoint", () => {
      const options = {
        ...this.getEndpointExtra(),
        method: "GET",
        name: `${this.name}.endpoint`,
        resource: this,
        isList: false,
        // A class that replaces it decides over the whole way.
        ...this.fetch !== Base.fetch as unknown && { fetch: ClassEndpoint.prototype.fetchByClass },
      };
      rootOf(this);
      return new ClassEndpoint(options as never).settle();
    });
  }

  static endpointMutate(this: ResourceStatics & { readonly name: string }): AnyEndpoint {
    return memoOf(this, "endpointMutate", () => {
      const name = `${this.name}.endpointMutate`;
      return this.endpoint().extend({ method: "POST", name });
    });
  }

  constructor() {
    super();
    Object.defineProperty(this, "url", URL_MEMBER);
  }
};

const OpenBase: Plain & OverridableStatics & OverridableResourceStatics = Base as never;

/**
 * The base of {@linkcode Resource} and {@linkcode HookableResource}: URLs, requests and `memo`, but no endpoints. Extend
 * it where an API has nothing of the usual six, and make endpoints with `this.endpoint().extend({ … })`.
 */
export abstract class BaseResource extends OpenBase {
  /**
   * The primary key: a string, a finite number or a bigint; `undefined` while it is not saved. `this` may be plain data.
   *
   * @param parent What holds the record in the response.
   * @param key Under which name.
   * @param args The arguments of the call.
   */
  // deno-lint-ignore no-explicit-any -- an override may take fewer or differently typed parameters
  abstract pk(parent?: any, key?: string, args?: readonly any[]): Pk;
}
