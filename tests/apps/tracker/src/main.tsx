import { type Controller, isEnding, LogoutManager, NetworkError } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useController, useMutation } from "@rejoin/data/preact";
import { render } from "preact";
import { IssueResource, messageOf, session, signIn } from "./api.ts";
import { Feed } from "./feed.tsx";
import { EditIssue, NewIssue } from "./form.tsx";
import { IssuePage } from "./issue.tsx";
import { IssueList } from "./list.tsx";
import { go, path } from "./router.ts";

export type Submit = SubmitEvent & { currentTarget: HTMLFormElement };

function SignIn() {
  const { mutate, isPending, error } = useMutation(signIn, { onSuccess: (answer) => session.value = answer });
  const submit = (event: Submit) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({ name: String(form.get("name")), password: String(form.get("password")) });
  };
  return (
    <form class="fields" onSubmit={submit}>
      <h1>Sign in</h1>
      <label>
        Name <input name="name" autocomplete="username" required />
      </label>
      <label>
        Password <input name="password" type="password" autocomplete="current-password" required />
      </label>
      <button type="submit" disabled={isPending}>{isPending ? "Signing in …" : "Sign in"}</button>
      {error && <p role="alert">{messageOf(error)}</p>}
    </form>
  );
}

function Failure({ error, resetErrorBoundary }: { error: Error; resetErrorBoundary: () => void }) {
  return (
    <p role="alert">
      {messageOf(error)} <button type="button" onClick={resetErrorBoundary}>Try again</button>
    </p>
  );
}

function signOut(controller: Controller) {
  session.value = null;
  controller.resetEntireStore();
}

function Pages() {
  const controller = useController();
  // The mutation is here and not on the issue's page, because that page is left first.
  const { mutate, isPending, error } = useMutation(IssueResource.delete);
  const remove = (id: number) => {
    go("/", { replace: true });
    mutate({ id });
  };
  const [, place, id, part] = path.value.split("?")[0]!.split("/");
  return (
    <>
      <header>
        <a href="#/">Issues</a> <a href="#/new">New issue</a> <a href="#/activity">Activity</a>
        <button type="button" onClick={() => signOut(controller)}>Sign out {session.value!.user.name}</button>
      </header>
      {isPending && <p role="status">Deleting …</p>}
      {error && !isEnding(error) && <p role="alert">It was not deleted. {messageOf(error)}</p>}
      <main>
        <AsyncBoundary fallback={<p>Loading …</p>} errorComponent={Failure} resetKeys={[path.value]}>
          {place === "new"
            ? <NewIssue />
            : place === "activity"
            ? <Feed />
            : place === "issues" && part === "edit"
            ? <EditIssue key={id} id={Number(id)} />
            : place === "issues"
            ? <IssuePage key={id} id={Number(id)} remove={remove} />
            : <IssueList />}
        </AsyncBoundary>
      </main>
    </>
  );
}

const use = [
  new LogoutManager({
    // A 401 of a mutation counts, too, except that of the sign-in form.
    isLogout: (error, { endpoint }) => error instanceof NetworkError && error.status === 401 && endpoint !== signIn,
    onLogout: signOut,
  }),
];

function App() {
  return session.value ? <Pages /> : <SignIn />;
}

render(
  <DataProvider use={use}>
    <App />
  </DataProvider>,
  document.body,
);
