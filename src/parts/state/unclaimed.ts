import type { Store } from "../../store/store.ts";

/**
 * Lists may come with a state before anything has named their class: nobody knows what they are of. Until it is named,
 * whatever is written, but by a read, may be about each of them: they are stale, and so are answers that may hold them.
 */
export function doubtUnclaimed(store: Store): void {
  store.join({
    committed({ isAnswer, touched }) {
      if (isAnswer || touched.length === 0) return;
      for (const { plans, slots } of store.tables.byKey.values()) {
        if (plans.length > 0) continue;
        for (const slot of slots.values()) {
          if (!slot.rec?.items) continue;
          slot.stamp = { ...slot.stamp, expiresAt: 0 };
          for (const entry of store.entries.all()) if (!entry.shape) store.entries.set({ ...entry, expiresAt: 0 });
        }
      }
    },
  });
}
