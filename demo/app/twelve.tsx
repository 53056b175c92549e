// deno-fmt-ignore-file -- twelve lines are twelve lines; the stage shows them
import { All, Entity, Query, resource } from "@rejoin/data";
import { useMutation, useQuery } from "@rejoin/data/preact";

class Genre extends Entity { id = ""; name = ""; static key = "Genre"; }
class Film extends Entity {
  id = 0; title = ""; rating = 0; genre = Genre.fromJS();
  static key = "Film"; static schema = { genre: Genre }; }
const FilmResource = resource({ path: "/films/:id", schema: Film, optimistic: true });
export const total = new Query(new All(Film), (films) => films.length);
export function Poster({ id }: { id: number }) {
  const film = useQuery(Film, { id });
  const { mutate } = useMutation(FilmResource.partialUpdate);
  const rate = () => mutate({ id }, { rating: 5 });
  return <button type="button" onClick={rate}>{film?.title}</button>;
}
