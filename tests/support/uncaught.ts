import { rendered as flush } from "./dom.ts";

/** Runs a function that should cause uncaught errors. Returns those that were reported meanwhile, in order. */
export async function uncaught(run: () => unknown): Promise<unknown[]> {
  const errors: unknown[] = [];
  const listen = (event: ErrorEvent | PromiseRejectionEvent) => {
    event.preventDefault();
    errors.push("error" in event ? event.error : event.reason);
  };
  addEventListener("error", listen);
  addEventListener("unhandledrejection", listen);
  try {
    await run();
    await flush();
  } finally {
    removeEventListener("error", listen);
    removeEventListener("unhandledrejection", listen);
  }
  return errors;
}
