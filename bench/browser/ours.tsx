// Each row reads its entity with `useQuery`.
import { Controller, Endpoint } from "@rejoin/data";
import { DataProvider, useQuery } from "@rejoin/data/preact";
import { Issue, User } from "../contestants/our_entities.ts";
import type { RawIssue } from "../workload.ts";
import { countRender, install, textOf } from "./meter.ts";

const controller = new Controller();
const getIssues = new Endpoint((): Promise<RawIssue[]> => Promise.resolve([]), { name: "getIssues", schema: [Issue] });

function Row({ id }: { readonly id: string }) {
  countRender();
  const issue = useQuery(Issue, { id });
  return <li>{issue && textOf(issue)}</li>;
}

install({
  fill: (response) => controller.setResponse(getIssues, response),
  rows: (ids) => <DataProvider controller={controller}>{ids.map((id) => <Row key={id} id={id} />)}</DataProvider>,
  writeIssue: (change) => controller.set(Issue, { id: change.id }, change),
  writeUser: (change) => controller.set(User, { id: change.id }, change),
});
