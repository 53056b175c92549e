import type { EntityStatics } from "../schemas/interface.ts";
import type { ResourceStatics } from "./resource_statics.ts";

/** The class that an endpoint belongs to. */
export interface Owner extends ResourceStatics, EntityStatics {
  readonly name: string;
  /** The lists that its mutations may change. A class of hooks has none. */
  list?(): { testKey(key: string): boolean };
}

/** Options of a `ClassEndpoint` that the app does not see. */
export interface ClassEndpointOptions {
  /** The class. */
  readonly resource: Owner;
  /** The class whose `url` and `listUrl` address what its `testKey` knows by its form. */
  readonly usual: Pick<ResourceStatics, "url" | "listUrl">;
  /** Whether it addresses lists, and not records. */
  readonly isList: boolean;
}
