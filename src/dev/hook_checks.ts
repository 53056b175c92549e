import { now } from "../store/store.ts";
import { checks, type Last, SchemaError, UsageError, type Wanted, warn } from "../errors/mod.ts";
import { equal } from "../plain/equal.ts";
import type { Value } from "../plain/value.ts";
import { entityOf, isEntity } from "../store/schema.ts";

type Kind = "read" | "page endpoint" | "mutation" | "Query" | "entity" | "schema" | "resource" | "other";

const FITS: Readonly<Record<Wanted, readonly Kind[]>> = {
  fetched: ["read"],
  stored: ["read", "page endpoint", "Query"],
  kept: ["read", "page endpoint", "Query", "mutation"],
  schema: ["Query", "entity", "schema"],
  source: ["read", "page endpoint", "Query", "entity", "schema"],
  called: ["read", "page endpoint", "mutation"],
  changing: ["mutation"],
};
function kindOf(given: Value): Kind {
  if (isEntity(given)) return "entity";
  if (typeof given?.key == "function") {
    return !given.extend ? "Query" : given.sideEffect ? "mutation" : given.listArgs ? "page endpoint" : "read";
  }
  if (typeof given?.denormalize == "function") return "schema";
  if (typeof given != "object" || !given) return "other";
  return typeof given.get?.key == "function" ? "resource" : "schema";
}

/** Throws an error that says what to write if a hook got something that it cannot use. */
checks.given = function check(given: Value, wanted: Wanted, hook: string): void {
  const kind = kindOf(given);
  if (FITS[wanted].includes(kind)) return;
  const { key, name: own } = kind === "resource" ? given.get : given ?? {};
  const name = (kind === "entity" ? key : kind === "resource" ? own.replace(/\.\w+$/, "") : own) ||
    (typeof given == "function" ? "a function" : `${given}`);
  throw new SchemaError(803, [hook, kind, name, wanted]);
};

/**
 * Warns before a PUT sends defaults of members that the store never got, because they would replace the server's
 * values.
 */
checks.call = (store: Value, endpoint: Value, args) => {
  checks.given!(endpoint, "called", "fetch");
  const E = entityOf(endpoint.schema);
  if (endpoint.method !== "PUT" || !E) return;
  const { params, body } = endpoint.readArgs?.(args) ?? {}, { defaults }: Value = E;
  const row = store.plan(E).table.rows.get(E.queryKey([params], store)), rec = row && store.shown(row);
  const unseen = Object.keys(rec ? defaults : {}).filter((name) =>
    defaults[name] !== undefined && !(name in rec) && equal(body?.[name], defaults[name])
  );
  if (unseen.length) warn(209, E.name, unseen);
};

/** After this many answers that came and were not shown, a loop is assumed, and not a user who types. */
const MOST_UNSEEN = 3;
/**
 * Finds a component that requests something else at each rendering. A user who types does so before the answer comes.
 */
checks.unseen = function check(last: Last, name: string, hook: string): void {
  const { answer, shown } = last;
  // An answer that is stale or invalidated came before the component waited for it.
  const isUnseen = answer && shown.isMissing && !shown.error && !answer.isInvalid && now() < answer.expiresAt;
  last.unseen = isUnseen ? (last.unseen ?? 0) + 1 : 0;
  if (last.unseen! >= MOST_UNSEEN) throw new UsageError(804, [hook, name]);
};
