/** Asks who it is, where a request was refused because nobody had said so. */
import { useController } from "@rejoin/data/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { openSession } from "./later_resources.ts";
import { explain } from "./notices.tsx";
import { signedIn, waiting } from "./session.ts";

/** A dialog that is there while somebody waits for a token. */
export function SignIn() {
  const isWanted = waiting.value.length > 0;
  const dialog = useRef<HTMLDialogElement>(null);
  const controller = useController();
  const [problem, setProblem] = useState("");
  useLayoutEffect(() => {
    if (isWanted) dialog.current?.showModal();
    else dialog.current?.close();
    setProblem("");
  }, [isWanted]);

  async function open(event: SubmitEvent & { currentTarget: HTMLFormElement }): Promise<void> {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name") ?? "");
    try {
      signedIn((await controller.fetch(openSession, { name })).token);
    } catch (error) {
      setProblem(explain(error));
    }
  }

  return (
    <dialog ref={dialog} class="sign-in" aria-labelledby="sign-in" onClose={() => isWanted && signedIn(undefined)}>
      <form onSubmit={open}>
        <h2 id="sign-in">Who are you?</h2>
        <p>Say your name to add a picture.</p>
        <div class="field">
          <label for="sign-in-name">Your name</label>
          <input id="sign-in-name" name="name" required maxLength={60} autocomplete="name" />
          <em class="problem" role="alert">{problem}</em>
        </div>
        <p class="buttons">
          <button type="button" onClick={() => signedIn(undefined)}>Not now</button>
          <button type="submit" class="main">Sign in</button>
        </p>
      </form>
    </dialog>
  );
}
