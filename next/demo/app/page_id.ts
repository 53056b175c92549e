/** Who asks: each opened page has a server of its own kind, and hears only of what others write. */
export { PAGE_HEADER } from "../handle.ts";

/** No `randomUUID`, which a page without TLS does not have. */
export const PAGE: string = Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join(
  "",
);
