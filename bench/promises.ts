/**
 * What the bytes of an app with hooks are for: each file belongs to what the library promises by it.
 * `deno task bench --size` prints it, `bench/README.md` says it.
 *
 * @module
 */
import { sharesOf } from "./size.ts";

/** The files of each promise: the first pattern that a path satisfies counts. */
const PROMISES: readonly [promise: string, files: RegExp][] = [
  ["typed errors with codes", /src\/errors\/|\/texts\.ts$/],
  ["memory: what nobody needs goes", /src\/parts\/(memory|state)\//],
  ["failed reads heal, focus and reconnect", /src\/managers\//],
  ["hooks, boundaries, signals", /src\/(preact|signals)\/|src\/deps\/(preact|signals)/],
  [
    "never false: overlaps, doubts, what was sent and not confirmed",
    /\/(doubts|settling|unconfirmed|holders|membership|subject|lists_of|references|disagreement|rounded_pk|refuse_unnamed|sent_record|call_subject|mutation_replies)\.ts$/,
  ],
  ["order: a late reply stands where it belongs", /\/(sequence|record_log|record_patch|next_entry)\.ts$/],
  ["optimism, temporary ids", /\/(layers|optimistic|temporary_ids?|updates|apply_update)\.ts$/],
  ["pages", /\/(pages|page_rows|paginated|parse_links|shorten_path|list_verbs)\.ts$/],
  [
    "computed views, orders, whole tables, indexes, relations",
    /\/(sorter|derived_view|list_node|rows|table_index|scan_index|index_keys|all|query|union|item_definition|query_key|sort_names|read_key|args_key)\.ts$/,
  ],
  ["http: deadline, retry, streams, bodies", /src\/http\//],
  ["REST: paths, searches, six members, options", /src\/rest\/|path-to-regexp/],
  ["the controller, requests, deduplication, abort", /src\/controller\//],
  ["records into the store, compared and merged", /src\/normalize\/|src\/store\//],
  ["records out of the store, one object each", /src\/denormalize\//],
  ["schemas, entities, endpoints", /src\/(schemas|endpoint|deps)\//],
];

/** How many bytes of brotli each promise costs an app with hooks, the heaviest first. */
export async function measurePromises(): Promise<Map<string, number>> {
  const costs = new Map<string, number>();
  for (const [file, bytes] of await sharesOf()) {
    const promise = PROMISES.find(([, files]) => files.test(file))?.[0];
    if (promise === undefined) throw new Error(`${file} belongs to no promise: add it in bench/promises.ts`);
    costs.set(promise, (costs.get(promise) ?? 0) + bytes);
  }
  return new Map([...costs].sort(([, one], [, two]) => two - one));
}

/** Promises and their costs as text. */
export function renderPromises(costs: ReadonlyMap<string, number>): string {
  const lines = [...costs].map(([promise, bytes]) => `    ${(bytes / 1000).toFixed(1).padStart(5)}  ${promise}`);
  return ["== What the kB of an app with hooks are for", ...lines].join("\n");
}
