/** Short sentences about what was done or could not be done, read out by screen readers. */
import { NetworkError } from "@rejoin/data";
import { signal } from "@preact/signals";

/** What may be done about it. */
interface Action {
  readonly name: string;
  run(): void;
}

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly bad: boolean;
  readonly action: Action | undefined;
}

const notices = signal<readonly Notice[]>([]);
let last = 0;

/** Says something for a few seconds. */
export function say(text: string, bad = false, action?: Action): void {
  const notice = { id: ++last, text, bad, action };
  notices.value = [...notices.value.slice(-2), notice];
  setTimeout(() => dismiss(notice.id), bad || action ? 10_000 : 4_000);
}

/** What went wrong, for a person: the server's own words where there are some. */
export function explain(error: unknown): string {
  if (error instanceof NetworkError) {
    const { body, status } = error, { message } = Object(body);
    if (message) return String(message);
    return status ? `The server answered ${status}.` : "The server cannot be reached.";
  }
  return error instanceof Error ? error.message : String(error);
}

/** What the server says of single members of a body that it refused. */
export function explainFields(error: unknown): Record<string, string> {
  return Object(error instanceof NetworkError ? error.body : undefined).fields ?? {};
}

function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, bad, action }) => (
        <p key={id} class={bad ? "notice bad" : "notice"}>
          <bdi>{text}</bdi>
          {action && (
            <button
              type="button"
              class="quiet act"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.name}
            </button>
          )}
          <button type="button" class="quiet" aria-label="Dismiss" onClick={() => dismiss(id)}>×</button>
        </p>
      ))}
    </div>
  );
}
