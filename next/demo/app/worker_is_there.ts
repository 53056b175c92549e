import { addressOf } from "./route.ts";

/** Starts the worker that has the API, and waits until this page's requests go to it. */
export async function workerIsThere(path: string): Promise<void> {
  const { serviceWorker } = navigator;
  if (!serviceWorker) throw new Error("This browser has no Service Worker here: Cinema's API would run in one.");
  const isControlled = new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve));
  await serviceWorker.register(addressOf(path));
  if (serviceWorker.controller) return;
  // Who has loaded the page anew by force has none.
  void serviceWorker.ready.then(({ active }) => active?.postMessage("claim"));
  await isControlled;
}
