/** Gives a film a picture of one's own. */
import { useMutation } from "@rejoin/data/preact";
import { setPoster } from "./later_resources.ts";
import { explain, say } from "./notices.tsx";
import type { Film } from "./resources.ts";

export function GivePicture({ film }: { film: Film }) {
  const { mutate, isPending } = useMutation(setPoster, {
    onError: (error) => say(`The picture was not taken. ${explain(error)}`, true),
  });
  const send = ({ currentTarget: field }: { currentTarget: HTMLInputElement }) => {
    const [file] = field.files ?? [];
    if (file && !isPending) mutate({ id: film.id }, file);
    // The same file may be chosen again.
    field.value = "";
  };
  return (
    <label class="give-picture" aria-busy={isPending}>
      <input
        type="file"
        name="picture"
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
        onChange={send}
      />
      <span class="button">
        {isPending ? "Sending …" : film.poster === null ? "Give it a picture …" : "Another picture …"}
      </span>
    </label>
  );
}
