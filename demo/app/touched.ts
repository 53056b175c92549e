import { signal } from "@preact/signals";

/** The film that was touched last on the wall. */
export const touched = signal<number | undefined>(undefined);
