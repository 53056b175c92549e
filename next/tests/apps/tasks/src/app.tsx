import { AsyncBoundary, type ErrorFallbackProps, useController, useMutation } from "@rejoin/data/preact";
import { explain, TaskResource } from "./api.ts";
import { Login } from "./login.tsx";
import { PersonPage } from "./person_page.tsx";
import { leaveFor, route } from "./route.ts";
import { session } from "./session.ts";
import { TaskPage } from "./task_page.tsx";
import { TasksPage } from "./tasks_page.tsx";

export function App() {
  // Here, because the page of a task is left before the task is deleted.
  const { mutate, isPending, error } = useMutation(TaskResource.delete);
  const remove = (id: string) => {
    leaveFor("#/");
    mutate({ id });
  };
  if (session.value === null) return <Login />;
  return (
    <>
      <Header />
      <main>
        {isPending && <p role="status">Deleting …</p>}
        {error && <p role="alert">{explain(error)}</p>}
        <AsyncBoundary resetKeys={route.value} fallback={<p>Loading …</p>} errorComponent={Failure}>
          <Page remove={remove} />
        </AsyncBoundary>
      </main>
    </>
  );
}

function Page({ remove }: { remove: (id: string) => void }) {
  const [place, id] = route.value;
  if (place === undefined) return <TasksPage done={false} />;
  if (place === "done") return <TasksPage done />;
  if (place === "tasks" && id !== undefined) return <TaskPage id={id} remove={remove} />;
  if (place === "people" && id !== undefined) return <PersonPage id={id} />;
  return <h1>There is no such page</h1>;
}

function Header() {
  const controller = useController();
  const leave = () => {
    session.value = null;
    controller.resetEntireStore();
  };
  const place = route.value[0] ?? "open";
  return (
    <header>
      <a href="#/" aria-current={place === "open" ? "page" : undefined}>Tasks</a>
      <a href="#/done" aria-current={place === "done" ? "page" : undefined}>Done</a>
      <button type="button" onClick={leave}>Log out</button>
    </header>
  );
}

function Failure({ error, resetErrorBoundary }: ErrorFallbackProps) {
  return (
    <p role="alert">
      {explain(error)} <button type="button" onClick={resetErrorBoundary}>Try again</button>
    </p>
  );
}
