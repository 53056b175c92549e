/** All directors, page by page: where the next page is stands in the header `link`. */
import { AsyncBoundary, useController, useLoading, useSuspense } from "@rejoin/data/preact";
import { Failure } from "./failure.tsx";
import { getDirectors, getMoreDirectors } from "./later_resources.ts";
import { explain } from "./notices.tsx";
import { listHref } from "./route.ts";

export function Directors() {
  return (
    <section aria-labelledby="directors">
      <h2 id="directors">Directors</h2>
      <AsyncBoundary fallback={<p class="chips" aria-busy="true">…</p>} errorComponent={Failure}>
        <Names />
      </AsyncBoundary>
    </section>
  );
}

function Names() {
  const controller = useController();
  const { results = [], next } = useSuspense(getDirectors);
  const [more, isLoading, error] = useLoading(async () => {
    if (next) await controller.fetch(getMoreDirectors, { page: next });
  });
  return (
    <>
      <ul class="chips">
        {results.map(({ id, name }) => (
          <li key={id}>
            <a class="chip" href={listHref({ director: id })}>{name}</a>
          </li>
        ))}
      </ul>
      {next && (
        <button type="button" disabled={isLoading} onClick={more}>{isLoading ? "Loading …" : "More directors"}</button>
      )}
      {error && <p class="problem" role="alert">{explain(error)}</p>}
    </>
  );
}
