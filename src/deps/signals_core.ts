// The one place that names the version of @preact/signals-core.
export { batch, computed, effect, type ReadonlySignal, Signal, signal, untracked } from "npm:@preact/signals-core@^1";
