// The islands of `ssr_test.tsx`, for the server and for the page: a boundary each, in a page that is text.
import { Endpoint } from "@rejoin/data";
import { AsyncBoundary, useSuspense } from "@rejoin/data/preact";
import { useState } from "preact/hooks";

const endpoints = new Map<string, ReturnType<typeof declare>>();
function declare(origin: string) {
  return new Endpoint(
    async ({ id }: { id: string }) => await (await fetch(`${origin}/api/people/${id}`)).json() as { name: string },
    { name: "getPerson" },
  );
}

function Person({ origin, id }: { readonly origin: string; readonly id: string }) {
  if (!endpoints.has(origin)) endpoints.set(origin, declare(origin));
  const { name } = useSuspense(endpoints.get(origin)!, { id });
  const [count, setCount] = useState(0);
  return <button type="button" class={id} onClick={() => setCount(count + 1)}>{`${name} ${count}`}</button>;
}

/** Who is on them, in the order of the page: the second and the last one are not there in time. */
export const ISLANDS = ["ada", "slow", "bob", "slow"];

/** One of them. */
export function Island({ origin, id }: { readonly origin: string; readonly id: string }) {
  return (
    <AsyncBoundary fallback={<em class="wait">Wait …</em>}>
      <b>{id}</b>
      <Person origin={origin} id={id} />
    </AsyncBoundary>
  );
}
