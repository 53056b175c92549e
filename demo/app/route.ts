/** Where the page is: the address, as signals. The list keeps its own part of it (`?genre=…`) under an open film. */
import { computed, signal } from "@preact/signals";

const address = signal(new URL(location.href));

/** `/` → `list`, `/films/5` → `film`, `/new` → `new`. On a wide screen the list is there beside all of them. */
export const place = computed<"list" | "film" | "new">(() => {
  const { pathname } = address.value;
  return pathname === "/new" ? "new" : pathname.startsWith("/films/") ? "film" : "list";
});

/** The open film's id. */
export const openFilm = computed(() =>
  place.value === "film" ? Number(address.value.pathname.split("/")[2]) : undefined
);

/** What the list shows, as it stands in the address: `"?genre=western&page=2"`. */
export const listSearch = computed(() => address.value.search);

/** What the list shows. A member that is missing has its usual value. */
export interface ListParams {
  page?: number;
  genre?: string;
  director?: number;
  search?: string;
  sort?: string;
}

/** `undefined` takes a member out. Without a page it is the first. */
type ChangedParams = { [K in keyof ListParams]?: ListParams[K] | undefined };

/** The most voted first. */
export const USUAL_SORT = "-votes";

/** `"?genre=western&page=2"` → `{ genre: "western", page: 2 }`, without what is usual or makes no sense. */
export function readListParams(search: string): ListParams {
  const given = new URLSearchParams(search);
  const params: ListParams = {};
  const page = Number(given.get("page"));
  if (Number.isSafeInteger(page) && page > 1) params.page = page;
  const genre = given.get("genre");
  if (genre) params.genre = genre;
  const director = Number(given.get("director"));
  if (Number.isSafeInteger(director) && director > 0) params.director = director;
  const text = given.get("search");
  if (text) params.search = text;
  const sort = given.get("sort");
  if (sort && sort !== USUAL_SORT) params.sort = sort;
  return params;
}

/** The address of a list. */
export function listHref(params: ListParams): string {
  return `/${toSearch(params)}`;
}

/** The address of a film, over the list that is shown now. */
export function filmHref(id: number): string {
  return `/films/${id}${listSearch.value}`;
}

/** The address of the form for a new film, over the list that is shown now. */
export function newHref(): string {
  return `/new${listSearch.value}`;
}

function toSearch(params: ChangedParams): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined && value !== "" && !(name === "page" && value === 1)) given.set(name, String(value));
  }
  const text = given.toString();
  return text && `?${text}`;
}

/** Goes to an address of this page. `replace`: the back button does not come back to the place that is left. */
export function navigate(href: string, { replace = false } = {}): void {
  const next = new URL(href, location.href);
  if (next.href === location.href) return;
  if (replace) history.replaceState(null, "", next);
  else history.pushState(null, "", next);
  address.value = next;
}

/** Shows another list; an open film stays open. */
export function changeList(change: ChangedParams, options?: { replace: boolean }): void {
  const { page: _, ...kept } = readListParams(listSearch.value);
  navigate(`${address.value.pathname}${toSearch({ ...kept, ...change })}`, options);
}

/** Makes links to this page change the address without loading it again, and follows the back button. */
export function startRouting(): void {
  addEventListener("popstate", () => {
    address.value = new URL(location.href);
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || event.defaultPrevented || event.button !== 0 || link.target || link.hasAttribute("download")) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.origin !== location.origin || !/^\/(films\/\d+|new)?$/.test(link.pathname)) return;
    event.preventDefault();
    navigate(link.href);
  });
}
