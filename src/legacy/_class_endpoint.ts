import { copyArgs } from "../endpoint/copy_plain.ts";
import type { MutationReply, Snapshot } from "../endpoint/interface.ts";
import { EndpointError } from "../errors/endpoint_error.ts";
import { RejoinError } from "../errors/rejoin_error.ts";
import { said } from "../errors/texts.ts";
import { readCreateReply, readDeleteReply, readUpdateReply, replyReader } from "../rest/mutation_replies.ts";
import { checkPrefix, resolveUrl } from "../rest/origin.ts";
import type { AnySearch } from "../rest/path_types.ts";
import { hasHeader, plainHeaders, upperMethod } from "../rest/request.ts";
import { RestEndpoint } from "../rest/rest_endpoint.ts";
import type { AnyRestEndpoint, RestInit } from "../rest/rest_types.ts";
import { type ClassEndpointOptions, endpointOf, type Owner } from "./_endpoints.ts";
import { listPathOf, listUrl, RECORD_PATH, recordUrl, rootOf } from "./_urls.ts";
import type { ResourceInput, ResourceStatics } from "./resource_statics.ts";

/** For which call a request is. */
interface Caller {
  readonly endpoint: ClassEndpoint;
  readonly args: readonly unknown[];
}

/** Where the options of a request say for which call it is. It survives `{ ...init }`, and `fetch` does not see it. */
const CALLER: unique symbol = Symbol("caller");

interface SentInit extends RequestInit {
  readonly [CALLER]?: Caller | undefined;
}

export interface ClassEndpoint extends ClassEndpointOptions {}

/**
 * A RestEndpoint whose URL, options and answer are what the statics of a class say. The rest is inherited: deadline,
 * retry, cancellation, replies.
 */
export class ClassEndpoint extends RestEndpoint {
  override get urlPrefix(): string {
    return rootOf(this.resource);
  }

  override get path(): string {
    return this.isList ? listPathOf(this.urlPrefix) : RECORD_PATH;
  }

  get fetchInit(): RequestInit | undefined {
    return undefined;
  }

  override get requestInit(): RequestInit | undefined {
    return this.fetchInit;
  }

  get init(): RequestInit {
    return this.getFetchInit();
  }

  override url(...args: [params?: AnySearch, body?: unknown]): string {
    const { resource, isList, sideEffect } = this.settle();
    const [params = {}] = args;
    if (!isList) return resource.url(params);
    // As in 5.0: what is alone with an endpoint that creates is the body.
    return resource.listUrl(sideEffect && args.length < 2 ? {} : params);
  }

  override testKey(key: string): boolean {
    const { resource, isList } = this.settle();
    const isUsual = isList ? resource.listUrl === listUrl as unknown : resource.url === recordUrl as unknown;
    if (isUsual && !Object.hasOwn(this, "url")) return super.testKey(key);
    // Where a URL is made by the app, all of that method at and below urlRoot: to fetch once too often does no harm.
    const start = `${upperMethod(this)} ${checkPrefix(this.urlPrefix, this, "urlRoot")}`;
    return key.startsWith(start) && /^(?:$|[/? ])/.test(key.slice(start.length));
  }

  override getRequestInit(body?: unknown): RestInit {
    return this.settle().getFetchInit(body);
  }

  getFetchInit(body?: unknown): RequestInit {
    return withCaller(this.resource.init(super.getRequestInit(body)), { endpoint: this, args: [] });
  }

  override fetchResponse(url: string, init: RequestInit): Promise<Response> {
    return this.resource.fetchResponse(url, init);
  }

  override async parseResponse(response: Response): Promise<unknown> {
    try {
      const value = await super.parseResponse(response);
      const isEmpty = value === null && (response.status === 204 || response.status === 205);
      // As in 5.0. A read that has a schema is told that there is no record.
      return isEmpty && (this.sideEffect || this.schema === undefined) ? "" : value;
    } catch (error) {
      if (RejoinError.is(error) && error.name === "ParseError") (error as unknown as { status: number }).status = 400;
      throw error;
    }
  }

  override readReply(reply: unknown, args: readonly unknown[], snapshot: Snapshot): MutationReply {
    const { resource: entity, isList } = this;
    let found: ReturnType<typeof listOf> | undefined;
    const lists = { testKey: (key: string) => (found ??= listOf(entity)).testKey(key) };
    const read = replyReader(
      entity,
      () => ({ get: endpointOf(entity, "detail"), lists }),
      (said, call) =>
        (call.schema.answersGiven ? readDeleteReply : isList ? readCreateReply : readUpdateReply)(said, call),
    );
    return read.call(this as AnyRestEndpoint, reply, args, snapshot);
  }

  /** The whole way by `static fetch` of the class, where that is not the base's. */
  async fetchByClass(...given: readonly unknown[]): Promise<unknown> {
    const args = copyArgs(given);
    const { params, body } = this.settle().readArgs(args);
    const url = resolveUrl(this.url(params, body), this);
    const value = await this.resource.fetch(url, withCaller(this.getFetchInit(body), { endpoint: this, args }));
    return await this.process(value, ...args);
  }

  /** The base of `static fetch`: what is ready to be sent goes the way that calls of this endpoint go. */
  send(url: string, init: RequestInit, args: readonly unknown[]): Promise<unknown> {
    const asked = this.extend({ method: init.method ?? "GET" }) as ClassEndpoint;
    return asked.extend({
      url: () => url,
      getRequestInit: () => init,
      // By the endpoint itself: it knows whether the app processes what comes.
      parseResponse: (response: Response) => asked.parseResponse(response),
      process: (value: unknown) => value,
      fetch: RestEndpoint.prototype.fetch,
    })(...args);
  }

  /** The base of `static fetchResponse`. */
  answer(url: string, init: RequestInit): Promise<Response> {
    const headers = plainHeaders(init.headers);
    const isJson = typeof init.body === "string" && !hasHeader(headers, "content-type");
    const sent = isJson ? { ...init, headers: { ...headers, "Content-Type": "application/json" } } : init;
    return super.fetchResponse(resolveUrl(url, this), sent);
  }
}

function withCaller(init: RequestInit, caller: Caller): SentInit {
  return { ...init, [CALLER]: caller };
}

/**
 * The call that options of a request were made for.
 *
 * @param init The options.
 * @param owner The class, one of whose plain endpoint it is when they were made for none.
 */
export function callerOf(init: SentInit, owner: ResourceStatics): Caller {
  return init[CALLER] ?? { endpoint: owner.endpoint() as ClassEndpoint, args: [] };
}

/**
 * The address of a request as text.
 *
 * @throws {EndpointError} If it is a `Request`: its body and headers would be lost.
 */
export function addressOf(input: ResourceInput, owner: { readonly name: string }): string {
  if (typeof input === "string") return input;
  if (input instanceof URL) return input.href;
  throw new EndpointError(owner.name, said(803, { name: owner.name }));
}

/** The lists of a class: its own, or what is at `urlRoot`. */
export function listOf(resource: Owner): { testKey(key: string): boolean } {
  return resource.list?.() ?? (resource.endpoint() as ClassEndpoint).extend({ isList: true } as object);
}
