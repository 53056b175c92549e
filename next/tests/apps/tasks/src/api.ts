/** What the data is, and where the server has it. */
import { Entity, NetworkError, resource, RestEndpoint, type RestGenerics, typed } from "@rejoin/data";
import { session } from "./session.ts";

export class Person extends Entity {
  id = "";
  name = "";
  static key = "Person";
}

export class Task extends Entity {
  id = "";
  title = "";
  notes = "";
  done = false;
  person: Person | null = null;
  static key = "Task";
  static schema = { person: Person };
}

class ApiEndpoint<O extends RestGenerics> extends RestEndpoint<O> {
  override urlPrefix = "/api";
  override getHeaders(headers: Record<string, string>) {
    return session.value === null ? headers : { ...headers, authorization: `Bearer ${session.value}` };
  }
}

const tasks = resource({
  Endpoint: ApiEndpoint,
  path: "/tasks/:id",
  schema: Task,
  searchParams: typed<{ done?: boolean; q?: string; person?: string; cursor?: string } | undefined>(),
  filters: { q: (task, text) => task.title.toLowerCase().includes(text.toLowerCase()) },
  displayArgs: ["cursor"],
  list: (tasks) => ({ items: tasks, next: "" as string | null, total: 0 }),
  optimistic: true,
});

/** The server counts the total of a list: each that is shown is asked again when a task comes, moves or goes. */
const expires = () => [tasks.getList];

export const TaskResource = {
  ...tasks,
  getList: tasks.getList.extend({ expires }),
  delete: tasks.delete.extend({ expires }),
};

export const PersonResource = resource({ Endpoint: ApiEndpoint, path: "/people/:id", schema: Person });

export const login = new ApiEndpoint({
  path: "/session",
  method: "POST",
  body: typed<{ name: string }>(),
  process: (reply: { token: string }) => reply.token,
});

/** The server's own words, where it has any. */
export function explain(error: Error): string {
  if (!(error instanceof NetworkError)) return error.message;
  if (error.status === undefined) return "The server cannot be reached.";
  const { message } = Object(error.body) as { message?: unknown };
  return typeof message === "string" ? message : `The server answered ${error.status}.`;
}

/** For who goes on when a mutation is done: where it is not, the component says so by `error`. */
export function isShown(): void {}
