/** An app that a server renders, and its script in the browser. */
import { type Controller, Entity, hydrate, resource, type State } from "@rejoin/data";
import { inspect } from "@rejoin/data/inspector";
import { AsyncBoundary, DataProvider, useController, useDLE, useSuspense } from "@rejoin/data/preact";
import { readState } from "@rejoin/data/ssr";
import { hydrate as takeOver } from "preact";
import { useEffect } from "preact/hooks";

class Film extends Entity {
  id = "";
  title = "";
  at = new Date(0);
  static key = "Film";
  static schema = { at: Date };
}

export function App({ origin, controller, state }: {
  origin: string;
  controller?: Controller | undefined;
  state?: State | undefined;
}) {
  const { get } = resource({ urlPrefix: `${origin}/api`, path: "/films/:id", schema: Film });
  const Title = ({ id }: { id: string }) => {
    const { title, at } = useSuspense(get, { id });
    return <p id={`film${id}`}>{`${title} ${at.getUTCFullYear()}`}</p>;
  };
  const Plain = () => <b>{useDLE(get, { id: "2" }).data?.title}</b>;
  const Alive = () => {
    const store = useController();
    useEffect(() => {
      document.documentElement.className = "alive";
      Object.assign(globalThis, {
        change: () => store.set(Film, { id: "1" }, { title: "changed" }),
        inspect: () => inspect(store, { open: true }),
      });
    }, []);
    return null;
  };
  return (
    <DataProvider controller={controller} use={state ? [hydrate(state)] : []}>
      <main>
        <Plain />
        <AsyncBoundary fallback={<i>…</i>}>
          <Title id="1" />
          <AsyncBoundary fallback={<i>…</i>}>
            <Title id="slow" />
          </AsyncBoundary>
          <svg viewBox="0 0 10 10">
            <AsyncBoundary fallback={<title>…</title>}>
              <circle r="5" strokeWidth={2} />
            </AsyncBoundary>
          </svg>
        </AsyncBoundary>
        <Alive />
      </main>
    </DataProvider>
  );
}

if (typeof document !== "undefined") {
  takeOver(<App origin={location.origin} state={readState()} />, document.querySelector("#app")!);
}
