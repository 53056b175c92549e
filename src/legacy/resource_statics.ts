/**
 * What a class of the 5.0 form may replace, for the type checker.
 *
 * @module
 */
import type { AnyEndpoint } from "../endpoint/interface.ts";
import type { AnySearch } from "../rest/path_types.ts";
import type { ResourceEndpoint, ResourceExtendOptions } from "./resource_endpoint.ts";

/** What `fetch` takes as an address. */
export type ResourceInput = string | URL | Request;

/**
 * The statics of a class of the 5.0 form, beside those of an entity. All may be replaced by a subclass, without
 * `override`, and `super` reaches those of the base.
 */
export interface ResourceStatics {
  /**
   * Where the records are: `https://api.example.com/articles`. Required, and the `key` of the class where it has no other.
   * A slash at its end is kept for lists.
   */
  urlRoot: string;
  /**
   * The URL of one record: `urlRoot`, and the pk as one segment, encoded.
   *
   * @param params Members that `pk()` is made of, a record for instance; others say nothing. A text `url` among them is
   * taken as it is when it is one segment below `urlRoot`, and says nothing when it is not.
   * @returns The URL. It never leaves `urlRoot`, whatever the parameters.
   * @throws {UrlError} If there is no pk, or no URL can hold it.
   */
  url(params: AnySearch): string;
  /**
   * The URL of a list: `urlRoot`, and the parameters as its search, names sorted.
   *
   * @param params The search; `undefined` members are left out.
   * @throws {UrlError} If a value has no text that could be told from others.
   */
  listUrl(params?: AnySearch): string;
  /**
   * Sends a request and reads the answer: what every endpoint of the class does, unless it has a `fetch` of its own. It
   * settles after 30 seconds at the latest, the reading of the body included, and when the `signal` of `init` aborts.
   *
   * @param input The address; relative to the page where it is relative.
   * @param init Options for `fetch`.
   * @returns Parsed JSON; the text of anything else, `""` where there is nothing.
   * @throws {NetworkError} If the server refuses or no answer comes; {@linkcode TimeoutError} if none comes in time.
   * @throws {ParseError} If the answer is not the JSON that it should be; its `status` is 400.
   */
  fetch(input: ResourceInput, init: RequestInit): Promise<unknown>;
  /**
   * Sends a request. A text as body is sent as JSON where `init` has no content type.
   *
   * @param input The address; relative to the page where it is relative.
   * @param init Options for `fetch`.
   * @returns An answer whose `ok` is true, its body not read.
   * @throws {NetworkError} If the server refuses or no answer comes.
   */
  fetchResponse(input: ResourceInput, init: RequestInit): Promise<Response>;
  /**
   * Completes the options of every request, a token for instance. No hooks: it runs when a request is sent.
   *
   * @param init The method, the body, the signal, and headers as a plain object.
   * @returns Options for `fetch`. Defaults to what `getFetchInit` gives.
   */
  init(init: RequestInit): RequestInit;
  /**
   * The name that `init` had in 5.0.
   *
   * @param init As `init` gets it.
   * @returns Options for `fetch`. Defaults to what it got.
   */
  getFetchInit(init: RequestInit): RequestInit;
  /** Options that all endpoints of the class have: how long data is fresh, for instance. Defaults to none. */
  getEndpointExtra(): ResourceExtendOptions | undefined;
  /**
   * An endpoint made once per class and name; a subclass makes its own.
   *
   * @param name Names it in the class: it is called `Article.name` in messages.
   * @param construct Makes it.
   * @returns The same endpoint each time.
   */
  memo<E extends AnyEndpoint>(name: string, construct: () => E): E;
  /** A read of `url(params)` without schema, to be extended. */
  endpoint(): ResourceEndpoint<[params: AnySearch], undefined, undefined, unknown>;
  /** A `POST` to `url(params)` without schema, to be extended. */
  endpointMutate(): ResourceEndpoint<[params: AnySearch, body?: unknown], undefined, true, unknown>;
}

/** The same as a mapped type: `noImplicitOverride` looks at declarations, and a mapped member has none. */
export type OverridableResourceStatics = { -readonly [K in Exclude<keyof ResourceStatics, never>]: ResourceStatics[K] };

/** What an instance has beside its fields. Mapped, so that a class may declare a member of that name without `override`. */
export type ResourceInstance = {
  readonly [
    /** The URL of the record; what the server sent under that name, if it did; `urlRoot` while it is not saved. */
    K in "url"
  ]: string;
};
