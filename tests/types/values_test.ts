/** The types that Values read, store and accept: `deno check` is the test. */
import { assertEquals } from "@std/assert";
import {
  Controller,
  type Denormalize,
  denormalize,
  type DenormalizeNullable,
  Endpoint,
  Entity,
  type Normalize,
  normalize,
  schema,
  type SchemaArgs,
} from "@rejoin/data";
import { same } from "../support/same.ts";

class Text extends Entity {
  id = "";
  static key = "Text";
}
class Video extends Entity {
  id = "";
  static key = "Video";
}
const texts = new schema.Values(Text);
const media = new schema.Values({ text: Text, video: Video }, (value: { kind: string }) => value.kind);

Deno.test("Values give what each of them is, through every nesting", () => {
  same<Denormalize<typeof texts>, { [name: string]: Text }>();
  same<DenormalizeNullable<typeof texts>, { [name: string]: Text } | undefined>();
  same<Normalize<typeof texts>, { [name: string]: string }>();
  same<SchemaArgs<typeof texts>, readonly []>();
  same<Denormalize<typeof media>, { [name: string]: Text | Video }>();
  const deep = new schema.Values({ lists: [texts], note: "" });
  same<Denormalize<typeof deep>, { [name: string]: { lists: { [name: string]: Text }[]; note: string } }>();
  // An absent member reads as an empty object.
  same<DenormalizeNullable<{ texts: typeof texts }>, { texts: { [name: string]: Text } } | undefined>();
  const { result, entities } = normalize(texts, { de: { id: "1" } });
  const read = denormalize(texts, result, entities);
  // @ts-expect-error the store may have nothing
  void (() => read.de);
  // @ts-expect-error there may be no text of that name
  void (() => read!.de.id);
  assertEquals([read?.de?.id, result.de], ["1", "1"]);
});

Deno.test("what can be no Values does not compile, nor can they be asked", () => {
  // @ts-expect-error a literal is a schema as a member only
  void (() => new schema.Values(""));
  // @ts-expect-error a class that cannot be called
  void (() => new schema.Values(URL));
  // @ts-expect-error only a mapping takes an attribute
  void (() => new schema.Values(Text, "type"));
  const controller = new Controller();
  // @ts-expect-error Values cannot be read by arguments
  void (() => controller.get(texts, "1"));
  const getTexts = new Endpoint(() => Promise.resolve(), { name: "getTexts", schema: texts });
  same<typeof getTexts["~types"]["data"], { [name: string]: Text }>();
  assertEquals(controller.getResponse(getTexts).data, undefined);
});
