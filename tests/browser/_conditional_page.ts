/**
 * A page that asks twice for the same list.
 *
 * @module
 */
import { conditional, Controller, createResource, Entity } from "@rejoin/data";

class Film extends Entity {
  id = "";
  static key = "Film";
}

/** Reads a list twice through one store. */
export type ReadTwice = (urlPrefix: string, crossOrigin: boolean) => Promise<boolean>;

const readTwice: ReadTwice = async (urlPrefix, crossOrigin) => {
  const { getList } = createResource({
    urlPrefix,
    path: "/films/:id",
    schema: Film,
    use: [conditional({ crossOrigin })],
  });
  const controller = new Controller();
  const first = await controller.fetch(getList);
  return await controller.fetch(getList) === first;
};
Object.assign(globalThis, { readTwice });
