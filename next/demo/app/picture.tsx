/** Gives a film a picture of one's own. */
import { useController } from "@rejoin/data/preact";
import { useState } from "preact/hooks";
import { setPoster } from "./later_resources.ts";
import { explain, say } from "./notices.tsx";
import type { Film } from "./resources.ts";

export function GivePicture({ film }: { film: Film }) {
  const controller = useController();
  const [isSending, setSending] = useState(false);

  async function send(field: HTMLInputElement): Promise<void> {
    const [file] = field.files ?? [];
    if (!file || isSending) return;
    setSending(true);
    try {
      await controller.fetch(setPoster, { id: film.id }, file);
    } catch (error) {
      say(`The picture was not taken. ${explain(error)}`, true);
    } finally {
      setSending(false);
      // The same file may be chosen again.
      field.value = "";
    }
  }

  return (
    <label class="give-picture" aria-busy={isSending}>
      <input
        type="file"
        name="picture"
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
        onChange={(event) => void send(event.currentTarget)}
      />
      <span class="button">
        {isSending ? "Sending …" : film.poster === null ? "Give it a picture …" : "Another picture …"}
      </span>
    </label>
  );
}
