import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { Window } from "happy-dom";
import { Controller, Entity, resource } from "@rejoin/data";
import { inspect } from "@rejoin/data/inspector";
import { DataProvider, useQuery } from "@rejoin/data/preact";
import { fixtures, mount, settled, waitFor } from "@rejoin/data/testing";
import { options } from "preact";

Object.assign(globalThis, { document: new Window().document });

class Film extends Entity {
  id = "";
  title = "";
  rating = 0;
  token = "";
  more: unknown = undefined;
  static key = "Film";
  static override redact = ["token"];
}
const FilmResource = resource({ urlPrefix: "https://films.test", path: "/films/:id", schema: Film, optimistic: true });

/** Reads the panel and operates it. */
function look() {
  const root = document.querySelector("rejoin-inspector")!.shadowRoot!;
  const buttons = () => [...root.querySelectorAll("button")];
  return {
    root,
    text: () => root.textContent!,
    press: (name: string) =>
      buttons().find((one) => (one.getAttribute("aria-label") ?? one.textContent) === name)!.click(),
  };
}

Deno.test("the panel shows records with their members, but no secret, and nothing of a page without it", () => {
  const controller = new Controller();
  controller.set(Film, { id: "5" }, { title: "<b>Alien</b>", token: "hidden text", rating: 4 });
  const remove = inspect(controller, { redact: ["rating"] }), { press, text, root } = look();
  assertEquals(text(), "Rejoin");
  press("Rejoin");
  press("Film 1");
  press("5");
  assertStringIncludes(text(), '"title": "<b>Alien</b>"');
  assert(!/hidden text|rating/.test(text()) && !root.querySelector("b"));
  assertStringIncludes(text(), "fresh 60 s");
  root.querySelector("section")!.dispatchEvent(
    Object.assign(new document.defaultView!.Event("keydown", { bubbles: true }), { key: "Escape" }),
  );
  assertEquals(text(), "Rejoin");
  remove();
  assertEquals(document.querySelector("rejoin-inspector"), null);
  assertEquals(controller.parts, []);
});

Deno.test("answers say how they stand, and a form makes those stale whose key begins with a text", async () => {
  const api = fixtures([
    { endpoint: FilmResource.get, args: [{ id: "404" }], error: 404 },
    { endpoint: FilmResource.get, response: ({ id }) => ({ id, title: "Alien" }) },
  ]);
  using controller = new Controller({ use: [api] });
  await controller.fetch(FilmResource.get, { id: "5" });
  await controller.fetch(FilmResource.get, { id: "404" }).catch(() => {});
  inspect(controller, { open: true });
  const { press, text } = look();
  press("Answers");
  assertStringIncludes(text(), "GET https://films.test/films/5fresh 60 s");
  assertStringIncludes(text(), "GET https://films.test/films/404NetworkError");
  press("Expire");
  await waitFor(() => text().includes("GET https://films.test/films/5stale"));
  await controller.fetch(FilmResource.get, { id: "5" });
  press("Expire GET https://films.test/films/5");
  assertEquals(controller.getResponse(FilmResource.get, { id: "5" }).expiresAt, 0);
  press("Invalidate");
  assertEquals(controller.getResponse(FilmResource.get, { id: "5" }).data, undefined);
});

Deno.test("changes name what was written, and which components ran for it and how often", async () => {
  using controller = new Controller();
  controller.set(Film, { id: "5" }, { title: "Alien" });
  controller.set(Film, { id: "6" }, { title: "Brazil" });
  const Title = ({ id }: { id: string }) => <p>{useQuery(Film, { id })?.title}</p>;
  inspect(controller, { open: true });
  await using _ = mount(
    <DataProvider controller={controller}>
      <Title id="5" />
      <Title id="5" />
      <Title id="6" />
    </DataProvider>,
  );
  const { press, text, root } = look();
  press("Changes");
  await settled();
  controller.set(Film, { id: "5" }, { title: "Aliens" });
  await waitFor(() => text().includes("Film 5"));
  const [row] = root.querySelectorAll("tbody tr");
  assertEquals([...row!.querySelectorAll("td")].slice(1).map((cell) => cell.textContent), [
    "set",
    "Film 5",
    "Title × 2",
  ]);
  assertStringIncludes(text(), "the app itself");
});

Deno.test("pending shows requests, and what mutations change before they are answered", async () => {
  const api = fixtures([{ endpoint: FilmResource.partialUpdate, response: { id: "5", rating: 5 }, delay: 50 }]);
  using controller = new Controller({ use: [api] });
  controller.set(Film, { id: "5" }, { rating: 4, token: "a" });
  inspect(controller, { open: true });
  const { press, text } = look();
  const edit = { rating: 5, token: "b", more: [{ token: "c" }, 5n] };
  const saved = controller.fetch(FilmResource.partialUpdate, { id: "5" }, edit);
  press("Pending");
  const shown = 'Film 5: rating: 4 → 5, token: (redacted), more: null → [\n {},\n "5n"\n]';
  assertStringIncludes(text(), shown, "no secret at any depth, and bigints");
  await saved;
  await waitFor(() => !text().includes("Film 5"));
});

Deno.test("it goes when the controller stops, records nothing then, and does nothing where there is no document", async () => {
  const controller = new Controller();
  inspect(controller);
  controller.cleanup();
  assertEquals(document.querySelector("rejoin-inspector"), null);
  const { document: before } = globalThis;
  Object.assign(globalThis, { document: undefined });
  inspect(controller)();
  Object.assign(globalThis, { document: before });
  assertEquals(typeof options.diffed, "function");
  await settled();
});
