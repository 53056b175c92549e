/** Where the page is: the address, as signals. The list keeps its own part of it (`?genre=…`) under an open film. */
import { computed, signal } from "@preact/signals";
import type { FilmSearch } from "./resources.ts";

const address = signal(new URL(location.href));

/** Where the server that renders the page is to believe to be: it renders one page after the other. */
export function goTo(url: URL): void {
  address.value = url;
}

/**
 * `/` → `stage`, `/films` → `list`, `/films/5` → `film`, `/new` → `new`. On a wide screen the list is there beside all of
 * them, and the stage beside the list.
 */
export const place = computed<"stage" | "list" | "film" | "new">(() => {
  const { pathname } = address.value;
  return pathname === "/new" ? "new" : pathname === "/films" ? "list" : pathname === "/" ? "stage" : "film";
});

/** The open film's id. */
export const openFilm = computed(() =>
  place.value === "film" ? Number(address.value.pathname.split("/")[2]) : undefined
);

/** What the list shows, as it stands in the address: `"?genre=western&page=2"`. */
export const listSearch = computed(() => address.value.search);

/** What the list shows. A member that is missing has its usual value. */
export type ListParams = Omit<FilmSearch, "perPage">;

/** `undefined` takes a member out. Without a page it is the first. */
type ChangedParams = { [K in keyof ListParams]?: ListParams[K] | undefined };

/** The most voted first. */
export const USUAL_SORT = "-imdbVotes";

/** `"?genre=western&page=2"` → `{ genre: "western", page: 2 }`, without what is usual or makes no sense. */
export function readListParams(search: string): ListParams {
  const { page, genre, director, search: text, sort } = Object.fromEntries(new URLSearchParams(search));
  return {
    ...Number(page) > 1 && { page: Math.floor(Number(page)) },
    ...genre && { genre },
    ...Number(director) > 0 && { director: Number(director) },
    ...text && { search: text },
    ...sort && sort !== USUAL_SORT && { sort },
  };
}

/** What of an address says which list is shown. */
export function toSearch(params: ChangedParams): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value && !(name === "page" && value === 1)) given.set(name, String(value));
  }
  return given.size ? `?${given}` : "";
}

/** The address of a list. */
export const listHref = (params: ListParams): string => `/films${toSearch(params)}`;

/** The address of the list that is shown now, without what is open beside it. */
export const backHref = (): string => `/films${listSearch.value}`;

/** The address of a film. A link to it keeps the list that is shown when it is followed. */
export const filmHref = (id: number): string => `/films/${id}`;

/** Goes to an address of this page. `replace`: the back button does not come back to the place that is left. */
export function navigate(href: string, { replace = false } = {}): void {
  const next = new URL(href, location.href);
  if (next.href === location.href) return;
  keepScroll();
  if (replace) history.replaceState(history.state, "", next);
  else history.pushState({ entry: entry = ++entries }, "", next);
  if (!replace) scrolls.delete(entry);
  address.value = next;
}

/** Shows another list; an open film stays open. */
export function changeList(change: ChangedParams, options?: { replace: boolean }): void {
  const { page: _, ...kept } = readListParams(listSearch.value);
  navigate(`${address.value.pathname}${toSearch({ ...kept, ...change })}`, options);
}

/** Which entry of the history is shown, and how far each had been scrolled when it was left. */
let entry = Number(globalThis.history?.state?.entry ?? 0);
let entries = entry;
const scrolls = new Map<number, Record<string, number>>();

function keepScroll(): void {
  const panes = [...document.querySelectorAll<HTMLElement>("[data-scroll]")];
  scrolls.set(entry, Object.fromEntries(panes.map((pane) => [pane.dataset.scroll ?? "", pane.scrollTop])));
}

/** How far a pane had been scrolled when the place that is shown now was left; 0 where it is new. */
export function scrollOfEntry(pane: "list" | "detail"): number {
  return scrolls.get(entry)?.[pane] ?? 0;
}

/** Makes links to this page change the address without loading it again, and follows the back button. */
export function startRouting(): void {
  addEventListener("popstate", (event) => {
    keepScroll();
    entry = Number(event.state?.entry ?? 0);
    address.value = new URL(location.href);
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.button !== 0 || link.target || link.origin !== location.origin) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (!/^\/(films(\/\d+)?|new)?$/.test(link.pathname)) return;
    event.preventDefault();
    // What is opened beside the list leaves it as it is. A link that asked for it would run again whenever it changes.
    const isBeside = /^\/(films\/|new)/.test(link.pathname) && !link.search;
    navigate(isBeside ? `${link.pathname}${listSearch.peek()}` : link.href);
  });
}
