/**
 * Boundaries in each other around components that read, read on while they wait, put something first, last and between,
 * change places, and wait again when they are mounted. Whenever the page rests, a person sees of each boundary its fallback
 * alone while something in it waits, else all of its content, in order, as it was rendered last; and nothing is thrown
 * that nobody catches.
 *
 * @module
 */
import { mount, settled } from "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { signal } from "@preact/signals-core";
import * as fc from "fast-check";
import type { ComponentChildren } from "preact";
import { Controller, Endpoint, ExpiryStatus } from "@rejoin/data";
import { AsyncBoundary, DataProvider, useCache, useDLE, useFetch, useLive, useSuspense } from "@rejoin/data/preact";
import { FakeClock } from "../support/clock.ts";
import { check, runs } from "../support/property.ts";

/** What is shown of a value: a text, an element, one that is not displayed, nothing. */
const LOOKS = ["text", "fragment", "styled", "unless empty", "around"] as const;
const HOOKS = ["suspense", "live", "fetch", "cache", "dle"] as const;
/** `gate` shows what is in it where its value says so; `toggle` puts something around it, `turn` turns its order. */
const HOLDERS = ["boundary", "div", "toggle", "turn"] as const;
const VALUES = ["", "open", "none", "b"] as const;

type Value = (typeof VALUES)[number];
interface Tree {
  readonly kind: "read" | "gate" | (typeof HOLDERS)[number];
  readonly of: number;
  readonly hook: (typeof HOOKS)[number];
  readonly look: (typeof LOOKS)[number];
  readonly kids: readonly Tree[];
}

const part = { of: fc.nat(2), hook: fc.constantFrom(...HOOKS), look: fc.constantFrom(...LOOKS) };
const tree = fc.memo((depth): fc.Arbitrary<Tree> => {
  const read = fc.record({ ...part, kind: fc.constant("read" as const), kids: fc.constant([]) });
  if (depth <= 1) return read;
  const kids = fc.array(tree(depth - 1), { maxLength: 3 });
  return fc.oneof(
    { weight: 2, arbitrary: read },
    { weight: 1, arbitrary: fc.record({ ...part, kind: fc.constant("gate" as const), kids }) },
    { weight: 2, arbitrary: fc.record({ ...part, kind: fc.constantFrom(...HOLDERS), kids }) },
  );
});

const ACTS = ["answer", "answer", "answer", "invalidate", "expire", "write", "shift", "shift", "page"] as const;
const act = fc.tuple(fc.constantFrom(...ACTS), fc.nat(5), fc.nat(11));

/** The values that are read, and requests for them that the test answers. */
class Session {
  readonly open: { readonly of: number; answer(value: Value): void }[] = [];
  readonly controller = new Controller();
  /** What the holders go by. */
  readonly shift = signal(0);
  readonly endpoints = [0, 1, 2].map((of) => this.#endpoint(of));

  #endpoint(of: number) {
    const ask = (signal: AbortSignal | undefined) =>
      new Promise<Value>((answer, reject) => {
        const one = { of, answer };
        this.open.push(one);
        signal?.addEventListener("abort", () => {
          this.open.splice(this.open.indexOf(one), 1);
          reject(signal.reason);
        });
      });
    return new Endpoint(
      function (this: { readonly signal?: AbortSignal }) {
        return ask(this.signal);
      },
      { name: `get${of}`, dataExpiryLength: Infinity, pollFrequency: 1e9 },
    );
  }

  answer(at: number, value: number): void {
    this.open.splice(at % Math.max(1, this.open.length), 1)[0]?.answer(VALUES[value % VALUES.length]!);
  }

  /** What is there of a value; `undefined`: nothing. */
  known(of: number): Value | undefined {
    const { data, expiryStatus } = this.controller.getResponse(this.endpoints[of]!);
    return expiryStatus === ExpiryStatus.Valid ? data : undefined;
  }

  turned<T>(list: readonly T[]): T[] {
    const at = this.shift.value % Math.max(1, list.length);
    return this.shift.value % 5 === 4 ? list.toReversed() : [...list.slice(at), ...list.slice(0, at)];
  }

  /** What a person is to see of a tree; `undefined`: something in it waits, and it is in no boundary of its own. */
  expected({ kind, of, hook, look, kids }: Tree): string | undefined {
    const inside = () => {
      const texts = kids.map((kid) => this.expected(kid));
      return texts.includes(undefined) ? undefined : texts as string[];
    };
    const shift = this.shift.value;
    switch (kind) {
      case "boundary":
        return inside()?.join("") ?? "…";
      case "div":
        return inside()?.join("");
      case "turn":
        return inside() && this.turned(inside()!).join("");
      case "toggle": {
        const [first = "", ...others] = inside() ?? [];
        const [before, between] = [shift % 2 ? "<" : "", shift % 3 ? "-" : ""];
        return inside() && `${before}${first}${between}${others.join("")}${shift % 4 === 1 ? ">" : ""}`;
      }
    }
    const known = this.known(of);
    if (known === undefined && (hook === "suspense" || hook === "live")) return undefined;
    const value = known ?? (hook === "dle" ? "loading" : "");
    if (kind === "gate") return value === "open" ? inside()?.join("") : value;
    if (look === "around") return `${value}|${value}`;
    return look === "styled" && value === "none" ? "" : value;
  }
}

function useValue({ endpoints }: Session, { of, hook }: Tree): string | undefined {
  const endpoint = endpoints[of]!;
  switch (hook) {
    case "suspense":
      return useSuspense(endpoint);
    case "live":
      return useLive(endpoint);
    case "fetch":
      useFetch(endpoint);
      return useCache(endpoint);
    case "cache":
      return useCache(endpoint);
  }
  const { data, loading } = useDLE(endpoint);
  return loading ? "loading" : data;
}

interface Props {
  readonly session: Session;
  readonly tree: Tree;
  readonly children?: ComponentChildren;
}

function Read({ session, tree }: Props) {
  const value = useValue(session, tree);
  switch (tree.look) {
    case "text":
      return <>{value}</>;
    case "fragment":
      return <>{value === "b" ? <b>{value}</b> : value}</>;
    case "styled":
      return <i style={{ display: value === "none" ? "none" : "inline" }}>{value}</i>;
    case "unless empty":
      return value ? <b>{value}</b> : null;
    case "around":
      return (
        <>
          {value}
          <u>|</u>
          {value}
        </>
      );
  }
}

function Gate({ session, tree, children }: Props) {
  const value = useValue(session, tree);
  return <>{value === "open" ? children : value}</>;
}

function Toggle({ session, tree: { kids } }: Props) {
  const shift = session.shift.value;
  const [first, ...others] = kids.map((kid, at) => <Part key={at} session={session} tree={kid} />);
  return (
    <>
      {shift % 2 ? <b>{"<"}</b> : null}
      {first}
      {shift % 3 ? "-" : null}
      {others}
      {shift % 4 === 1 && <b>{">"}</b>}
    </>
  );
}

function Turn({ session, tree: { kids } }: Props) {
  return <>{session.turned(kids.map((kid, at) => <Part key={at} session={session} tree={kid} />))}</>;
}

function Part({ session, tree }: Props) {
  const props = { session, tree };
  const kids = tree.kids.map((kid, at) => <Part key={at} session={session} tree={kid} />);
  switch (tree.kind) {
    case "read":
      return <Read key={tree.hook} {...props} />;
    case "gate":
      return <Gate key={tree.hook} {...props}>{kids}</Gate>;
    case "boundary":
      return <AsyncBoundary fallback="…">{kids}</AsyncBoundary>;
    case "div":
      return <div>{kids}</div>;
    case "toggle":
      return <Toggle {...props} />;
    case "turn":
      return <Turn {...props} />;
  }
}

async function live(trees: readonly Tree[], acts: readonly (readonly [(typeof ACTS)[number], number, number])[]) {
  const clock = new FakeClock();
  using _ = clock.install();
  const uncaught: unknown[] = [];
  const catchAll = (event: ErrorEvent) => {
    event.preventDefault();
    uncaught.push(event.error);
  };
  globalThis.addEventListener("error", catchAll);
  const session = new Session();
  const { controller, endpoints, shift } = session;
  let tree = trees[0]!;
  const page = () => (
    <DataProvider controller={controller}>
      <AsyncBoundary fallback="…">
        <Part key={trees.indexOf(tree)} session={session} tree={tree} />
      </AsyncBoundary>
    </DataProvider>
  );
  const app = mount(page());
  const look = async () => {
    await settled();
    assertEquals([app.text, uncaught], [session.expected(tree) ?? "…", []]);
  };
  try {
    await look();
    for (const [name, a, b] of acts) {
      // Preact itself puts a component in a wrong place that is moved in the rendering in which its element is replaced.
      const moves = name === "shift" || name === "page";
      if (moves) await settled();
      if (name === "answer") session.answer(a, b);
      else if (name === "invalidate") controller.invalidate(endpoints[a % 3]!);
      else if (name === "expire") controller.expireAll(endpoints[a % 3]!);
      else if (name === "write") controller.setResponse(endpoints[a % 3]!, VALUES[b % VALUES.length]!);
      else if (name === "shift") shift.value = b;
      else {
        tree = trees[a % trees.length]!;
        app.render(page());
      }
      // Several at once.
      if (moves || b % 3 > 0) await look();
    }
    await settled();
    for (let value = 0; session.open.length > 0; value++) {
      session.answer(0, value);
      await look();
    }
  } finally {
    globalThis.removeEventListener("error", catchAll);
    app.unmount();
    await settled();
    controller.cleanup();
  }
  assertEquals([session.open.length, clock.pending], [0, 0]);
}

Deno.test("of boundaries, a person sees what waits or all there is, in order and as it was rendered last", async () => {
  const trees = fc.array(tree(4), { minLength: 1, maxLength: 2 });
  await check(fc.asyncProperty(trees, fc.array(act, { maxLength: 16 }), live), {
    name: "boundaries",
    runs: runs(1_500, 100_000),
  });
});
