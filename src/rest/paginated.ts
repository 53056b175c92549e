import { EndpointError } from "../errors/endpoint_error.ts";
import { said } from "../errors/texts.ts";
import { argsKey } from "../schemas/args_key.ts";
import type { AnySchema } from "../schemas/interface.ts";
import { mapCollections } from "./collections_in.ts";
import { oncePerList } from "./list_verbs.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/** The arguments of a page → those of the list that it continues. */
// deno-lint-ignore no-explicit-any -- each list has arguments of its own
export type RemoveCursor = (...args: any) => readonly unknown[];

/**
 * The endpoint of the pages of a list: each is asked for by itself, and joins the list.
 *
 * @param list The endpoint of the list.
 * @param cursor The parameter that says which page is meant, or a function that takes it away.
 */
export function paginate(list: AnyRestEndpoint, cursor: string | RemoveCursor): AnyRestEndpoint {
  const removeCursor = typeof cursor === "function" ? cursor : withoutField(cursor);
  let keepsPages = false;
  const schema = mapCollections(list.schema as AnySchema, (collection) => {
    keepsPages = true;
    return collection.extend({ pageOf: removeCursor });
  });
  return list.extend({
    schema,
    name: `${list.name}.getPage`,
    pageOf: (args: readonly unknown[]) => ({
      endpoint: list,
      args: removeCursor(...args),
      page: keepsPages ? argsKey(args) : undefined,
    }),
  } as object) as AnyRestEndpoint;
}

/** `getPage` of a list: the same endpoint each time. */
export function pageEndpointOf(list: AnyRestEndpoint): AnyRestEndpoint {
  return oncePerList(list, "getPage", () => {
    const { paginationField } = list as { readonly paginationField?: unknown };
    if (Object.hasOwn(list, "paginationField") && typeof paginationField === "string") {
      return paginate(list, paginationField);
    }
    throw new EndpointError(list.name, said(510, { name: list.name }));
  });
}

function withoutField(field: string): RemoveCursor {
  return (params?: object, ...others: readonly unknown[]) => {
    const { [field]: _, ...rest } = { ...params } as { readonly [name: string]: unknown };
    return [rest, ...others];
  };
}
