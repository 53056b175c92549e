import { useSuspense } from "@rejoin/data/preact";
import { PersonResource } from "./api.ts";
import { TaskList } from "./tasks_page.tsx";

export function PersonPage({ id }: { id: string }) {
  const person = useSuspense(PersonResource.get, { id });
  return (
    <>
      <h1>{person.name}</h1>
      <TaskList person={id} />
    </>
  );
}
