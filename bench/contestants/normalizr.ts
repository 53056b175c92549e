/**
 * normalizr with the store that its users write around it: lasting tables into which each new record is merged. The
 * tables are changed in place, which is fastest but gives no new objects for changes. A copy of each table per write,
 * as reducers make it, would cost the size of the table.
 *
 * @module
 */
import { denormalize, normalize, schema } from "normalizr";
import type { Contestant, IssueView, ProjectView } from "../contestant.ts";
import { byTitle, type RawIssue, type RawProject } from "../workload.ts";

const user = new schema.Entity("User");
const label = new schema.Entity("Label");
const issue = new schema.Entity("Issue", { user, labels: [label] });
const topic = new schema.Entity("Topic");
const project = new schema.Entity("Project", { owner: user, topics: [topic] });

type Tables = Record<string, Record<string, object>>;

function createStore() {
  const tables: Tables = {};
  let issueIds: string[] = [];
  let projectIds: string[] = [];

  function write<Result>(input: unknown, as: unknown): Result {
    const { result, entities } = normalize(input, as as schema.Entity) as { result: Result; entities: Tables };
    for (const [key, records] of Object.entries(entities)) {
      const table = tables[key] ??= {};
      for (const pk in records) {
        const existing = table[pk];
        table[pk] = existing === undefined ? records[pk]! : { ...existing, ...records[pk] };
      }
    }
    return result;
  }

  return {
    writeIssues(response: RawIssue[]) {
      issueIds = write(response, [issue]);
    },
    writeIssue(change: { id: string; title: string }) {
      write(change, issue);
    },
    writeUser(change: { id: string; name: string }) {
      write(change, user);
    },
    readIssues: (): IssueView[] => denormalize(issueIds, [issue], tables),
    readSorted: (): IssueView[] => denormalize(Object.keys(tables.Issue ?? {}), [issue], tables).sort(byTitle),
    writeProjects(response: RawProject[]) {
      projectIds = write(response, [project]);
    },
    readProjects: (): ProjectView[] => denormalize(projectIds, [project], tables),
  };
}

/** normalizr 3.6. */
export const normalizrContestant: Contestant = {
  name: "normalizr",
  createStore,
  pure: {
    normalize: (response) => normalize(response, [issue]),
    denormalize(normalized) {
      const { result, entities } = normalized as { result: string[]; entities: Tables };
      return denormalize(result, [issue], entities);
    },
  },
};
