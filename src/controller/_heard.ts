import { isEnding } from "../errors/is_ending.ts";

/**
 * The outcome of a mutation for whoever asked for it. Where nobody handles its rejection, the platform reports that like
 * any other, also when somebody else (a middleware) has looked at the outcome before; but not an ending that was wanted.
 */
export function heard(outcome: unknown): Promise<unknown> {
  const promise = new Promise((resolve, reject) => {
    Promise.resolve(outcome).then(resolve, (reason) => {
      if (isEnding(reason)) unheard(promise);
      reject(reason);
    });
  });
  return promise;
}

/** A promise whose rejection nobody need handle: it is told in another way. */
export function unheard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
