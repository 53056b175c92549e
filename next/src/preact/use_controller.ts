import { type Context, createContext } from "../deps/preact.ts";
import { Controller } from "../controller/controller.ts";
import { UsageError } from "../errors/errors.ts";
import { readContext } from "./_internals.ts";

export const ControllerContext: Context<Controller | undefined> = createContext<Controller | undefined>(undefined);

/** The controller of the `DataProvider` above. */
export function useController(): Controller {
  const controller = readContext(ControllerContext);
  if (!controller) throw new UsageError(801);
  return controller;
}
