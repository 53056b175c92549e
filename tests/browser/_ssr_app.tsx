// One app for the server and for the page of `ssr_test.tsx`: what data may be, each on the page once.
import { type Controller, Endpoint, Entity, hydrate, resource, type State } from "@rejoin/data";
import {
  AsyncBoundary,
  DataProvider,
  type ErrorFallbackProps,
  useCache,
  useDLE,
  useSuspense,
} from "@rejoin/data/preact";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";

/** Somebody who writes. */
export class Person extends Entity {
  id = "";
  name = "";
  born: Date | undefined = undefined;
  static key = "Person";
  static schema = { born: Date };
}

class Comment extends Entity {
  id = "";
  text = "";
  by: Person | undefined = undefined;
  replies: Comment[] = [];
  static key = "Comment";
  static schema: { by: typeof Person; replies: (typeof Comment)[] } = { by: Person, replies: [Comment] };
}

/** What the app is given, beside where its API is. */
export interface AppProps {
  readonly origin: string;
  readonly path: string;
  readonly controller?: Controller;
  readonly state?: Partial<State> | undefined;
}

function declare(urlPrefix: string) {
  return {
    Comments: resource({ urlPrefix, path: "/api/comments/:id", schema: Comment, dataExpiryLength: Infinity }),
    People: resource({ urlPrefix, path: "/api/people/:id", schema: Person }),
    getText: new Endpoint(async () => await (await fetch(`${urlPrefix}/api/text`)).json() as string, {
      name: "getText",
    }),
  };
}

/** As often as it was clicked, which it is only where it was hydrated. */
function Counter() {
  const [count, setCount] = useState(0);
  const id = useId();
  useEffect(() => void document.documentElement.classList.add("alive"), []);
  return <button id={id} type="button" class="count" onClick={() => setCount(count + 1)}>{count}</button>;
}

function Thread({ comment: { text, by, replies } }: { readonly comment: Comment }) {
  return (
    <li>
      <b>{by?.name ?? "nobody"}</b>
      <i>{text}</i>
      {replies.length > 0 && <ul>{replies.map((reply) => <Thread key={reply.id} comment={reply} />)}</ul>}
    </li>
  );
}

type Declared = ReturnType<typeof declare>;

/** Declared once, as an app does it: whoever declares anew at each rendering has other endpoints, which ask anew. */
const declaredFor = new Map<string, Declared>();

function declarationsOf(origin: string): Declared {
  let declared = declaredFor.get(origin);
  if (declared === undefined) declaredFor.set(origin, declared = declare(origin));
  return declared;
}

function Comments({ Comments }: Declared) {
  return <ul class="thread">{useSuspense(Comments.getList).map((each) => <Thread key={each.id} comment={each} />)}</ul>;
}

function Profile({ People, id }: Declared & { readonly id: string }) {
  const { name, born } = useSuspense(People.get, { id });
  return <h1 title={name}>{`${name}, born ${born!.getUTCFullYear()}`}</h1>;
}

function Strange({ People, id }: Declared & { readonly id: string }) {
  const { data, loading, error } = useDLE(People.get, { id });
  return <p>{loading ? "loading" : error ? error.name : data.name}</p>;
}

function Deleted({ People }: Declared) {
  return <p class="deleted">{useCache(People.get, { id: "gone" }) === undefined ? "deleted" : "there"}</p>;
}

function Text({ getText }: Declared) {
  // As HTML has it: there is no NUL in it, and no half of a pair.
  return <pre>{JSON.stringify(useSuspense(getText))}</pre>;
}

const Failed = ({ error }: ErrorFallbackProps) => <strong>{error.name}</strong>;

function Boundary({ children }: { readonly children: ComponentChildren }) {
  return <AsyncBoundary fallback={<em>Loading …</em>} errorComponent={Failed}>{children}</AsyncBoundary>;
}

function Slow({ People }: Declared) {
  const [count, setCount] = useState(0);
  const { name } = useSuspense(People.get, { id: "slow" });
  return <p class="slow" onClick={() => setCount(count + 1)}>{`${name} ${count}`}</p>;
}

function SlowCell({ People }: Declared) {
  return (
    <tr>
      <td class="row">{useSuspense(People.get, { id: "slow" }).name}</td>
    </tr>
  );
}

function SlowCircle({ People }: Declared) {
  return <circle r={useSuspense(People.get, { id: "slow" }).name.length} />;
}

/** All of it; at `/failing` also what an error boundary catches. */
export function App({ origin, path, controller, state }: AppProps) {
  const declared = declarationsOf(origin);
  return (
    <DataProvider controller={controller} use={[hydrate(state)]}>
      <main>
        <Boundary>
          <Profile {...declared} id="ada" />
          <Boundary>
            <Comments {...declared} />
          </Boundary>
          <Strange {...declared} id="bob" />
          <Strange {...declared} id="none" />
          <Deleted {...declared} />
          <Text {...declared} />
        </Boundary>
        {path === "/late" && (
          <AsyncBoundary fallback={<p class="wait">Wait …</p>}>
            <p class="beside">beside</p>
            <Slow {...declared} />
            <Boundary>
              <p class="inside">inside</p>
            </Boundary>
          </AsyncBoundary>
        )}
        {path === "/stream" && (
          <section>
            <table>
              <tbody>
                <AsyncBoundary fallback={<tr class="row-wait" />}>
                  <SlowCell {...declared} />
                </AsyncBoundary>
              </tbody>
            </table>
            <svg>
              <AsyncBoundary fallback={<circle class="wait" />}>
                <SlowCircle {...declared} />
              </AsyncBoundary>
            </svg>
          </section>
        )}
        {path === "/failing" && (
          <section>
            <h2>Failing</h2>
            <Boundary>
              <Profile {...declared} id="none" />
            </Boundary>
            <Counter />
          </section>
        )}
        <Counter />
      </main>
    </DataProvider>
  );
}
