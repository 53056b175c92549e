import { useMutation } from "@rejoin/data/preact";
import { explain, login } from "./api.ts";
import { session } from "./session.ts";

export function Login() {
  const { mutate, isPending, error } = useMutation(login, { onSuccess: (token) => session.value = token });
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name"));
    mutate({ name });
  };
  return (
    <form onSubmit={submit}>
      <label>
        Your name <input name="name" required autocomplete="username" />
      </label>
      <button type="submit" disabled={isPending}>{isPending ? "Logging in …" : "Log in"}</button>
      {error && <p role="alert">{explain(error)}</p>}
    </form>
  );
}
