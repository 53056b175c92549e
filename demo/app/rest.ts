/** All but the list, in one piece: it comes when the list is there. */
export { FilmPage } from "./film_page.tsx";
export { Home } from "./home.tsx";
export { listen } from "./live.ts";
export { NewFilm } from "./new_film.tsx";
export { SignIn } from "./sign_in.tsx";
