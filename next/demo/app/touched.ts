import { signal } from "@preact/signals";

/** The film that was touched last on the wall, or whose stars were refused since. */
export const touched = signal<number | undefined>(undefined);
