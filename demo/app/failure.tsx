import { NetworkError } from "@rejoin/data";
import { explain } from "./notices.tsx";
import { listHref } from "./route.ts";

/** What an AsyncBoundary shows in place of what could not be loaded. */
export function Failure({ error, resetErrorBoundary }: { error: Error; resetErrorBoundary: () => void }) {
  const gone = error instanceof NetworkError && error.status === 404;
  return (
    <div class="failure" role="alert">
      <h2>{gone ? "There is nothing here" : "This did not load"}</h2>
      <p>{gone ? "It is not in the collection." : explain(error)}</p>
      {gone
        ? <a class="button" href={listHref({})}>To all films</a>
        : <button type="button" onClick={resetErrorBoundary}>Try again</button>}
    </div>
  );
}
