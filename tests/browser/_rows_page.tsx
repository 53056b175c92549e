// The page of render_counts_test.ts: ten thousand rows, each of which reads one film and counts its renderings.
import { useState } from "preact/hooks";
import { signal } from "@preact/signals-core";
import { render } from "preact";
import { Controller, Entity, type NetworkError, resource } from "@rejoin/data";
import { AsyncBoundary, DataProvider, ErrorBoundary, useDLE, useSuspense } from "@rejoin/data/preact";

class User extends Entity {
  id = "";
  name = "";
  static key = "User";
}

class Film extends Entity {
  id = "";
  title = "";
  user: User | undefined = undefined;
  static key = "Film";
  static schema = { user: User };
}

const FilmResource = resource({ urlPrefix: location.origin, path: "/films/:id", schema: Film });
// Nothing becomes stale by time, so that slow and fast machines do the same.
const controller = new Controller({ defaults: { dataExpiryLength: Infinity } });

const ROWS = 10_000;
const all = Array.from({ length: ROWS }, (_, index) => index);
const renders = new Map<string, number>();
const setId: ((id: string) => void)[] = [];
/** The rows that are on the page. */
const shown = signal<readonly number[]>([]);

function count(name: string): void {
  renders.set(name, (renders.get(name) ?? 0) + 1);
}

function Cell({ row, id }: { readonly row: number; readonly id: string }) {
  count(`cell ${row}`);
  const film = useSuspense(FilmResource.get, { id });
  return <>{`${film.title} by ${film.user?.name}`}</>;
}

/** Reads the same film with another hook, in every tenth row. */
function Told({ row, id }: { readonly row: number; readonly id: string }) {
  count(`cell ${row}`);
  const { data, loading, error } = useDLE(FilmResource.get, { id });
  if (loading) return <>…</>;
  return <>{error ? `status ${(error as NetworkError).status}` : `${data!.title} by ${data!.user?.name}`}</>;
}

function Row({ row }: { readonly row: number }) {
  const [id, set] = useState(String(row));
  setId[row] = set;
  const Content = row % 10 === 9 ? Told : Cell;
  return (
    <li id={`row${row}`}>
      <ErrorBoundary resetKeys={[id]} errorComponent={({ error }) => <>{`status ${(error as NetworkError).status}`}</>}>
        <Content row={row} id={id} />
      </ErrorBoundary>
    </li>
  );
}

/** Shows whether the read of one row is in flight. */
function Busy() {
  count("busy");
  const { isFetching } = useDLE(FilmResource.get, { id: "7" });
  return <output>{isFetching ? "busy" : "idle"}</output>;
}

function Page() {
  return (
    <DataProvider controller={controller}>
      <Busy />
      <AsyncBoundary fallback={<p id="wait">…</p>}>
        <ul>{shown.value.map((row) => <Row key={row} row={row} />)}</ul>
      </AsyncBoundary>
    </DataProvider>
  );
}

async function quiet(): Promise<void> {
  for (let frame = 0; frame < 2; frame++) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }
}

/** The renderings since the last look: the number of rows, of renderings, and those of the component beside them. */
interface Ran {
  readonly rows: number;
  readonly times: number;
  readonly busy: number;
}

/** The functions that the test calls in the page. */
const page = {
  rows: ROWS,
  /** Loads the list over the network. */
  load: async () => (await controller.fetch(FilmResource.getList)).length,
  show(from: number, to: number) {
    shown.value = all.slice(from, to);
  },
  write(kind: "Film" | "User", id: string, members: object) {
    controller.set(kind === "Film" ? Film : User, { id }, members as never);
  },
  /** Fetches a film again, without waiting. */
  ask: (id: string) => void controller.fetch(FilmResource.get, { id }).catch(() => {}),
  expire: (id: string) => controller.expire(FilmResource.get, { id }),
  change: (row: number, id: string) => setId[row]!(id),
  text: (row: number) => document.getElementById(`row${row}`)?.textContent,
  isHidden: () => document.querySelector("ul")!.style.display === "none",
  busy: () => document.querySelector("output")!.textContent,
  /** Waits until everything is rendered, and returns the renderings since the last look. */
  async ran(): Promise<Ran> {
    await quiet();
    const busy = renders.get("busy") ?? 0;
    renders.delete("busy");
    const counts = [...renders.values()];
    renders.clear();
    return { rows: counts.length, times: counts.reduce((sum, each) => sum + each, 0), busy };
  },
};

Object.assign(globalThis, { page });
export type RowsPage = typeof page;

const root = document.createElement("main");
document.body.append(root);
render(<Page />, root);
