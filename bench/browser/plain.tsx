// The lower bound: each entity is in its own signal, taken out of the response by hand, and a row joins as it renders.
import { type Signal, signal } from "@preact/signals";
import { type IssueRecord, toIssueRecord } from "../contestants/records.ts";
import type { RawLabel, RawUser } from "../workload.ts";
import { countRender, install, textOf } from "./meter.ts";

const issues = new Map<string, Signal<IssueRecord>>();
const users = new Map<string, Signal<RawUser>>();
const labels = new Map<string, Signal<RawLabel>>();

function Row({ id }: { readonly id: string }) {
  countRender();
  const issue = issues.get(id)!.value;
  const user = users.get(issue.user)!.value;
  return <li>{textOf({ title: issue.title, user, labels: issue.labels.map((id) => labels.get(id)!.value) })}</li>;
}

install({
  fill(response) {
    for (const issue of response) {
      issues.set(issue.id, signal(toIssueRecord(issue)));
      if (!users.has(issue.user.id)) users.set(issue.user.id, signal(issue.user));
      for (const label of issue.labels) if (!labels.has(label.id)) labels.set(label.id, signal(label));
    }
  },
  rows: (ids) => ids.map((id) => <Row key={id} id={id} />),
  writeIssue: (change) => write(issues, change),
  writeUser: (change) => write(users, change),
});

function write<T extends { readonly id: string }>(table: Map<string, Signal<T>>, change: Partial<T> & { id: string }) {
  const record = table.get(change.id)!;
  record.value = { ...record.peek(), ...change };
}
