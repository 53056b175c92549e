// The one import with a side effect: @preact/signals teaches Preact to re-run components whose signals changed.
export { signal } from "npm:@preact/signals@^2";
