import { assert, assertEquals } from "@std/assert";
import { Controller, Entity, RestEndpoint, schema } from "@rejoin/data";

class Film extends Entity {
  id = "";
  kind = "";
  static key = "Film";
}

const union = new schema.Union({ film: Film }, "kind");
const NAMES = ["__proto__", "constructor", "toString", "a"];
const FORMS: readonly (readonly [declared: unknown, wrap: (items: object) => unknown])[] = [
  [new schema.Values(Film), (items) => items],
  [new schema.Values(union), (items) => items],
  [{ items: new schema.Values(union) }, (items) => ({ items })],
  [new schema.Object({ items: new schema.Values(Film) }), (items) => ({ items })],
  [new schema.Collection(new schema.Values(Film)), (items) => items],
  [{ items: new schema.Collection(new schema.Values(union)) }, (items) => ({ items })],
];

/** Pages of one name each: all of them are there in the end, as they were sent, and again through a state. */
function play(): void {
  for (const [declared, wrap] of FORMS) {
    for (const order of [NAMES, NAMES.toReversed()]) {
      const getList = new RestEndpoint({ path: "/films", schema: declared as { items: schema.Values<typeof Film> } });
      const getPage = getList.paginated("page");
      using controller = new Controller();
      const itemsOf = ({ data }: { data?: unknown }) => {
        const items = data as { items?: object };
        return Object.hasOwn(items, "items") ? items.items! : items;
      };
      order.forEach((name, page) => {
        const item = { id: `id of ${name}`, kind: "film" };
        const sent = wrap(Object.defineProperty({}, name, { value: item, enumerable: true, configurable: true }));
        if (page === 0) controller.setResponse(getList, {}, sent as never);
        else controller.setResponse(getPage, { page } as never, sent as never);
      });
      const items = itemsOf(controller.getResponse(getList, {}));
      assertEquals(Object.keys(items).sort(), NAMES.toSorted());
      for (const name of NAMES) {
        const value = Object.getOwnPropertyDescriptor(items, name)?.value;
        assert(value instanceof Film && value.id === `id of ${name}`, name);
      }
      assertEquals(Object.getPrototypeOf(items), Object.prototype);
    }
  }
}

Deno.test("13.B8 pages of Values keep every name", play);

Deno.test("13.B8 pages of Values keep every name with the setter behind __proto__ that Node and browsers have", async () => {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--unstable-unsafe-proto", new URL(import.meta.url).pathname],
    stderr: "piped",
  }).output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
});

if (import.meta.main && "__proto__" in {}) play();
