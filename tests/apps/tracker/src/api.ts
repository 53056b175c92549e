import { signal } from "@preact/signals";
import { Entity, NetworkError, resource, RestEndpoint, type RestGenerics, typed } from "@rejoin/data";

export interface Session {
  readonly token: string;
  readonly user: { readonly id: number; readonly name: string };
}
const KEPT = "tracker.session";

/** The session of the user who is signed in. */
export const session = signal<Session | null>(JSON.parse(sessionStorage.getItem(KEPT) ?? "null"));
session.subscribe((value) =>
  value ? sessionStorage.setItem(KEPT, JSON.stringify(value)) : sessionStorage.removeItem(KEPT)
);

/** Bodies and responses are `{ issue: … }`. Responses with lists also have `meta`. */
class RailsEndpoint<O extends RestGenerics = any> extends RestEndpoint<O> {
  override urlPrefix = "/api";
  override getHeaders(headers: Record<string, string>) {
    const token = session.value?.token;
    return token ? { ...headers, authorization: `Bearer ${token}` } : headers;
  }
  override getRequestInit(body?: any) {
    const { root } = (this.extra ?? {}) as { root?: string };
    return super.getRequestInit(body && root ? { [root]: body } : body);
  }
  override async parseResponse(response: Response) {
    const body = await super.parseResponse(response) as Record<string, unknown> | null;
    const { root } = (this.extra ?? {}) as { root?: string };
    return root && body && root in body ? body[root] : body;
  }
}

export class User extends Entity {
  id = 0;
  name = "";
  static key = "User";
}

export class Issue extends Entity {
  id = 0;
  title = "";
  body = "";
  state: "open" | "closed" = "open";
  assignee: User | null = null;
  comments_count = 0;
  created_at = new Date(0);
  static key = "Issue";
  static schema = { assignee: User, created_at: Date };
}

export class Comment extends Entity {
  id = 0;
  issue_id = 0;
  body = "";
  author = User.fromJS();
  static key = "Comment";
  static schema = { author: User };
}

export class Event extends Entity {
  id = 0;
  kind = "";
  user = User.fromJS();
  issue: Issue | null = null;
  static key = "Event";
  static schema = { user: User, issue: Issue };
}

export const getActivity = new RailsEndpoint({
  path: "/activity",
  searchParams: typed<{ before?: number }>(),
  schema: { events: [Event], meta: { next: 0 as number | null } },
});

export interface IssueFilter {
  readonly state?: string;
  readonly assignee_id?: string;
  readonly sort?: string;
  readonly q?: string;
  readonly page?: number;
}
export interface IssueBody {
  readonly title?: string;
  readonly body?: string;
  readonly state?: "open" | "closed";
  readonly assignee_id?: number | null;
}

const base = resource({
  path: "/issues/:id",
  schema: Issue,
  Endpoint: RailsEndpoint,
  searchParams: typed<IssueFilter>(),
  body: typed<IssueBody>(),
  list: (issues) => ({ issues, meta: { page: 1, pages: 1, total: 0 } }),
  displayArgs: ["page", "sort"],
  extra: { root: "issue" },
});
// Only the server knows the totals, and on which page a row is.
const expires = () => [getActivity, base.getList];
export const IssueResource = base.extend({
  create: { expires },
  partialUpdate: { expires },
  delete: { expires, getOptimisticResponse: (_snapshot, params) => params },
});

/** For a button: shows the change at once. */
export const setState = IssueResource.partialUpdate.extend({
  getOptimisticResponse: (_snapshot, { id }, body) => ({ id, ...body }),
});

export const closeIssues = new RailsEndpoint({
  path: "/issues/close",
  method: "POST",
  searchParams: undefined,
  body: typed<{ ids: readonly number[] }>(),
  schema: { issues: [Issue] },
  getOptimisticResponse: (_snapshot, { ids }) => ({ issues: ids.map((id) => ({ id, state: "closed" })) }),
  expires,
});

const comments = resource({
  path: "/issues/:issue_id/comments/:id",
  schema: Comment,
  Endpoint: RailsEndpoint,
  body: typed<{ body: string }>(),
  list: (comments) => ({ comments }),
  extra: { root: "comment" },
  optimistic: true,
});
export const CommentResource = comments.extend({
  create: {
    expires: () => [...expires(), IssueResource.get],
    getOptimisticResponse: (snapshot, ...args) => ({
      ...comments.create.getOptimisticResponse!(snapshot, ...args) as object,
      author: session.value!.user,
    }),
  },
});

export const getUsers = new RailsEndpoint({ path: "/users", schema: { users: [User] }, dataExpiryLength: 600_000 });

export const signIn = new RailsEndpoint({
  path: "/session",
  method: "POST",
  body: typed<{ name: string; password: string }>(),
  process: (answer: Session) => answer,
});

/** The server's messages about fields, from `{ errors: { title: ["can't be blank"] } }`. */
export function problemsOf(error: Error | undefined): Record<string, string | undefined> {
  if (!(error instanceof NetworkError) || error.status !== 422) return {};
  const { errors } = error.body as { errors: Record<string, string[]> };
  return Object.fromEntries(Object.entries(errors).map(([field, [first]]) => [field, first]));
}

/** The server's message about anything else. */
export function messageOf(error: Error): string {
  const body = error instanceof NetworkError ? error.body as { error?: string } | undefined : undefined;
  return body?.error ?? "The server cannot be reached.";
}

/** `1 comment`, `2 comments`. */
export function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
