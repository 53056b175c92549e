import type { Part } from "../controller/part.ts";
import { now, type Store } from "../store/store.ts";

/** A part: what is mounted and stale is asked again when the page comes back, or the network. */
export function focus(): Part {
  const over = new AbortController();
  return {
    install({ store }: { store: Store }) {
      const ask = () => {
        if (document.visibilityState === "hidden") return;
        store.write(
          [],
          {},
          (commit) => store.expire((answer) => answer.watchers?.length && now() >= store.freshUntil(answer), commit),
        );
      };
      if (typeof document == "undefined") return;
      for (const name of ["focus", "online"]) addEventListener(name, ask, over);
      document.addEventListener("visibilitychange", ask, over);
    },
    cleanup: () => over.abort(),
  };
}
