/** Films, and an API that answers from fixtures, which most tests of the testing kit use. */
import { Endpoint, Entity, resource } from "@rejoin/data";

export class Director extends Entity {
  id = "";
  name = "";
  static key = "Director";
}

export class Film extends Entity {
  id = "";
  title = "";
  year = 0;
  director: Director | undefined = undefined;
  releasedAt = new Date(0);
  static key = "Film";
  static schema = { director: Director, releasedAt: Date };
}

export const ORIGIN = "https://films.test";

export const FilmResource = resource({
  urlPrefix: ORIGIN,
  path: "/films/:id",
  schema: Film,
  searchParams: {} as { year?: number },
  optimistic: true,
});

/** An endpoint without REST. Calling it without fixtures fails the test. */
export const ping = new Endpoint(
  async (n: number): Promise<{ pong: number }> => await Promise.reject(new Error(`${n}: nobody is there`)),
  { name: "ping" },
);
