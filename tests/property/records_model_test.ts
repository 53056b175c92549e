// Records under late replies, deletes, pending mutations and patches that are dropped, against all events folded anew.
import { assert, assertEquals } from "@std/assert";
import { type AnyEndpoint, Endpoint, Entity, schema, stateOf } from "@rejoin/data";
import { watch } from "../../src/store/watch.ts";
import { PatientController as Controller } from "../support/patient_controller.ts";
import { runs } from "../support/property.ts";
import { Wire, type WireCall } from "../support/wire.ts";

type Row = { id: string; a?: number; b?: number; seen?: number[]; isRefused?: true };

/** What is done while a response is walked. */
let meddle: () => void = () => {};

class Plain extends Entity {
  id = "";
  a = 0;
  b = 0;
  seen: number[] = [];
  static key = "Plain";
  static override process(value: Row): object {
    meddle();
    if (value.isRefused) throw new Error("refused");
    return { ...value };
  }
}
/** Its order of writes shows. */
class Concat extends Plain {
  static override key = "Concat";
  static override merge(existing: Row, incoming: Row): object {
    return { ...existing, ...incoming, seen: [...existing.seen ?? [], ...incoming.seen ?? []] };
  }
}

/** One event at its place in the order of writes: what it has written, and what it shows until then. */
interface Event {
  readonly writes: (readonly [id: string, row: Row | undefined])[];
  readonly shows: (readonly [id: string, row: Row | undefined])[];
  /** What is in flight. */
  call?: WireCall | undefined;
  readonly isMutation?: boolean;
  readonly isDelete?: boolean;
}

const IDS = ["1", "2", "3", "4"];

/** Numbers below a bound, the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

async function live(seed: number, Class: typeof Plain, hides: boolean): Promise<void> {
  const random = numbers(seed);
  const wire = new Wire();
  const controller = new Controller();
  const { store } = controller;
  const all = new schema.All(Class);
  const events: Event[] = [];
  const done: string[] = [];
  const told = new Map<string, number>();
  let present: string[] = [];
  let before = new Map<string, Row>();
  let count = 0;

  const row = (id: string): Row => ({
    id,
    ...(random(2) && { a: random(3) }),
    ...(random(2) && { b: random(3) }),
    ...(Class === Concat && { seen: [++count] }),
  });
  const fold = (isShown: boolean): Map<string, Row> => {
    const rows = new Map<string, Row>();
    for (const { writes, shows } of events) {
      for (const [id, one] of isShown ? [...shows, ...writes] : writes) {
        const other = rows.get(id);
        if (one === undefined) rows.delete(id);
        else {rows.set(
            id,
            other === undefined ? one : Class === Concat ? Concat.merge(other, one) as Row : { ...other, ...one },
          );}
      }
    }
    return rows;
  };
  const text = (one: Row | undefined) => one && JSON.stringify([one.id, one.a ?? 0, one.b ?? 0, one.seen ?? []]);
  const exact = (one: Row | undefined) => one && JSON.stringify(Object.entries(one).sort());
  const isWatched = random(2) === 0;
  if (isWatched) {
    for (const id of IDS) watch(store, store.query(Class, [id]), () => told.set(id, (told.get(id) ?? 0) + 1));
  }

  const verify = (what: string, arrivals: readonly string[] = []) => {
    done.push(what);
    const said = `${seed}: ${done.join("; ")}`;
    const base = fold(false);
    const shown = fold(true);
    const layered = events.flatMap(({ shows }) => shows.map(([id]) => id));
    present = [...new Set([...present.filter((id) => base.has(id) || shown.has(id)), ...arrivals, ...layered])]
      .filter((id) => base.has(id) || shown.has(id));
    const stored = stateOf(controller).entities[Class.key] ?? {};
    assertEquals(Object.keys(stored).sort(), [...base.keys()].sort(), said);
    for (const [id, one] of base) assertEquals(text(stored[id] as Row), text(one), said);
    for (const id of IDS) {
      if (isWatched || random(6) === 0) assertEquals(text(controller.get(Class, id)), text(shown.get(id)), said);
      if (isWatched) assertEquals(told.get(id) ?? 0, exact(before.get(id)) === exact(shown.get(id)) ? 0 : 1, said);
    }
    if (random(2)) {
      const ids = (controller.get(all) ?? []).map(({ id }) => id);
      const expected = present.filter((id) => shown.has(id));
      // Where what one mutation shows is hidden by another stands depends on who has looked.
      assertEquals(hides ? ids.sort() : ids, hides ? expected.sort() : expected, said);
    }
    for (const { slots } of store.tables.byKey.values()) {
      for (const { next } of slots.values()) assertEquals(next, undefined, said);
    }
    told.clear();
    before = shown;
  };

  const startRead = () => {
    const read = new Endpoint(wire.fn("read"), { name: `read ${++count}`, schema: [Class] });
    void controller.fetch(read).catch(() => {});
    const oldest = events.findIndex(({ call, isMutation }) => call && isMutation);
    events.splice(oldest < 0 ? events.length : oldest, 0, { writes: [], shows: [], call: wire.last });
    verify("read");
  };
  const startMutation = () => {
    const id = IDS[random(4)]!;
    const isDelete = hides && random(3) === 0;
    const shown = isDelete ? undefined : row(id);
    const isShown = random(4) > 0;
    const mutation: AnyEndpoint = new Endpoint(wire.fn("mutate"), {
      name: "mutate",
      schema: isDelete ? new schema.Invalidate(Class) : Class,
      sideEffect: true,
      ...(isShown && { getOptimisticResponse: () => ({ ...shown ?? { id } }) }),
    });
    void controller.fetch(mutation).catch(() => {});
    events.push({ writes: [], shows: isShown ? [[id, shown]] : [], call: wire.last, isMutation: true, isDelete });
    verify(`mutate ${id} ${JSON.stringify(shown)}`, [id]);
  };
  const settle = async (event: Event) => {
    const call = event.call!;
    event.call = undefined;
    event.shows.length = 0;
    if (random(4) === 0) {
      await call.fail();
      return verify("fail");
    }
    const ids = event.isMutation ? [IDS[random(4)]!] : IDS.filter(() => random(2));
    const rows = ids.map(row);
    const refused = random(4) === 0 && !event.isMutation ? rows[random(4)] : undefined;
    let isInside = false;
    if (random(2)) {
      meddle = () => {
        if (isInside) return;
        isInside = true;
        if (random(2)) controller.get(all);
        else controller.get(Class, IDS[random(4)]!);
        isInside = false;
      };
    }
    const sent = rows.map((one) => one === refused ? { ...one, isRefused: true } : { ...one });
    if (refused === undefined) {
      for (const one of rows) event.writes.push([one.id, event.isDelete ? undefined : one]);
    }
    await call.reply(event.isMutation ? sent[0] : sent);
    meddle = () => {};
    verify(`reply ${JSON.stringify(sent)}`, refused === undefined ? ids : []);
  };
  const inFlight = () => events.filter(({ call }) => call !== undefined);

  for (let step = 6 + random(14); step > 0; step--) {
    const flying = inFlight();
    const id = IDS[random(4)]!;
    switch (random(6)) {
      case 0:
        startRead();
        break;
      case 1:
        startMutation();
        break;
      case 2: {
        const one = row(id);
        events.push({ writes: [[id, one]], shows: [] });
        controller.set(Class, { id }, { ...one });
        verify(`set ${JSON.stringify(one)}`, [id]);
        break;
      }
      case 3:
        events.push({ writes: [[id, undefined]], shows: [] });
        controller.set(new schema.Invalidate(Class), { id });
        verify(`delete ${id}`);
        break;
      default:
        if (flying.length > 0) await settle(flying[random(flying.length)]!);
    }
  }
  for (let flying = inFlight(); flying.length > 0; flying = inFlight()) await settle(flying[random(flying.length)]!);
  const { covered, layers, logs, marks, sequence, tableChanges } = store;
  assertEquals([covered.size, layers.length, logs.size, marks.size, sequence.size, tableChanges.length], [
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
  assert(store.draft === undefined);
}

for (const Class of [Plain, Concat]) {
  for (const hides of [false, true]) {
    const what = `${Class === Concat ? "merged by the class" : "merged by the rule"}${hides ? ", some hidden" : ""}`;
    Deno.test(`records, ${what}, are what all events amount to, and readers are told once of each change`, async () => {
      for (let seed = 1, last = runs(300, 30_000); seed <= last; seed++) await live(seed, Class, hides);
    });
  }
}
