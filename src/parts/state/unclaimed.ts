import type { Store } from "../../store/store.ts";

/**
 * Lists may come with a state before anything has named their class: nobody knows what they are of. The first write that
 * is no read's may be about each of them: they are stale then, and so are answers that may hold them.
 */
export function doubtUnclaimed(store: Store): void {
  const leave = store.join({
    committed({ isAnswer, touched }) {
      if (isAnswer || touched.length === 0) return;
      leave();
      const unclaimed = [...store.tables.byKey.values()].filter(({ plans }) => plans.length === 0);
      const lists = unclaimed.flatMap(({ slots }) => [...slots.values()]).filter(({ rec }) => rec?.items);
      if (lists.length === 0) return;
      for (const slot of lists) slot.stamp = { ...slot.stamp, expiresAt: 0 };
      for (const entry of store.entries.all()) if (!entry.shape) store.entries.set({ ...entry, expiresAt: 0 });
    },
  });
}
