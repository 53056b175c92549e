// Below the floor: a signal for each row with a copy of all that it shows. Nothing is shared, so nothing is joined; who
// renames a user must know all places where it is.
import { batch, type Signal, signal } from "@preact/signals";
import type { RawIssue } from "../workload.ts";
import { countRender, install, textOf } from "./meter.ts";

const rows = new Map<string, Signal<RawIssue>>();
const rowsOfUser = new Map<string, Signal<RawIssue>[]>();

function Row({ id }: { readonly id: string }) {
  countRender();
  return <li>{textOf(rows.get(id)!.value)}</li>;
}

install({
  fill(response) {
    for (const issue of response) {
      const row = signal(issue);
      rows.set(issue.id, row);
      const ofUser = rowsOfUser.get(issue.user.id);
      if (ofUser === undefined) rowsOfUser.set(issue.user.id, [row]);
      else ofUser.push(row);
    }
  },
  rows: (ids) => ids.map((id) => <Row key={id} id={id} />),
  writeIssue(change) {
    const row = rows.get(change.id)!;
    row.value = { ...row.peek(), ...change };
  },
  writeUser(change) {
    batch(() => {
      for (const row of rowsOfUser.get(change.id)!) {
        const issue = row.peek();
        row.value = { ...issue, user: { ...issue.user, ...change } };
      }
    });
  },
});
