import {
  type Component,
  type ComponentChild,
  type ComponentChildren,
  Fragment,
  h,
  options,
  type VNode,
} from "../deps/preact.ts";
import { renderToString } from "../deps/render_to_string.ts";
import { isThenable } from "../plain/is_object.ts";
import type { Value } from "../plain/value.ts";
import { AsyncBoundary } from "../preact/async_boundary.ts";
import { ErrorBoundary } from "../preact/error_boundary.ts";
import type { Answer } from "../store/answers.ts";

type Run = (this: unknown, props: object, context: unknown) => ComponentChild;
type Rendered = Component & { render(...args: readonly unknown[]): ComponentChildren };
type Class = new (props: object, context: unknown) => Rendered;

/** Options of Preact without a public name; `preact/compat` uses them, too. */
interface Hooks {
  /** A vnode is about to be rendered. */
  __b?: ((vnode: VNode) => void) | undefined;
  /** Error boundaries work on servers, too. */
  errorBoundaries?: boolean | undefined;
}
const hooks = options as Hooks; // see `Hooks`

/**
 * Renders a page as far as it can be. A component that waits renders nothing, so that those beside it begin what they
 * need at the same time; at the end of its boundary the fallback takes the place of all that the boundary holds.
 * @param look Sees each vnode before it is rendered.
 * @throws What a component throws outside of any boundary.
 */
export function renderPass(render: () => ComponentChild, regions: Regions, look: (vnode: VNode) => void): void {
  const { __b: before, errorBoundaries } = hooks, wrappers = new Map<unknown, unknown>();
  const changed = new Map<{ type: unknown }, unknown>();
  hooks.errorBoundaries = true;
  // Not before: a component may look at what its children are.
  hooks.__b = (vnode) => {
    before?.(vnode);
    look(vnode);
    const { type } = vnode, own: { type: unknown; __c?: unknown } = vnode;
    // It may have the component of its last rendering, with what another visitor saw.
    own.__c = undefined;
    // A vnode that stands on the page twice is wrapped by then. A signal has its type from its class.
    if (typeof type != "function" || type === Fragment || changed.has(own) || !Object.hasOwn(own, "type")) return;
    changed.set(own, type);
    own.type = wrappers.get(type) ?? wrapped(type, regions);
    wrappers.set(type, own.type);
  };
  try {
    regions.html = renderToString(h(Fragment, null, render()));
  } finally {
    hooks.__b = before;
    hooks.errorBoundaries = errorBoundaries;
    // A vnode that the app made once is rendered again for another page.
    for (const [vnode, type] of changed) vnode.type = type;
  }
}

/** The same component, but where it throws a promise it renders nothing; where it throws an error, that is noted. */
function wrapped(type: Value, regions: Regions): unknown {
  if (type === End) return type;
  if (type === AsyncBoundary || type.prototype instanceof AsyncBoundary) return withFallback(type, regions);
  if (type.prototype?.render) return passingOverClass(type, regions);
  const run: Run = type;
  // Contexts have members on their components.
  return Object.assign(function (this: unknown, props: object, context: unknown) {
    return passingOver(regions, () => run.call(this, props, context));
  }, type);
}
function passingOver(regions: Regions, render: () => ComponentChildren): ComponentChildren {
  try {
    return render();
  } catch (thrown) {
    if (!isThenable(thrown)) {
      regions.thrown.add(thrown);
      throw thrown;
    }
    regions.current.waits.push(thrown);
    return null;
  }
}
function passingOverClass(type: Class, regions: Regions): unknown {
  return class extends type {
    readonly #around = regions.current;
    readonly #noted = [this.#around.waits.length, this.#around.reads.length, this.#around.inner] as const;
    override render(...args: readonly unknown[]): ComponentChildren {
      // Again where it caught an error: what that came out of has no end.
      regions.giveUp(this.#around, ...this.#noted);
      if (this instanceof ErrorBoundary && this.state.error && !this.props.errorComponent) return null;
      return passingOver(regions, () => super.render(...args));
    }
  };
}

/**
 * The same boundary, but where something in it waits it shows its fallback. So it does for an error that it has no
 * `errorComponent` for: the browser tries again, and no message of the server is on the page.
 */
function withFallback(type: typeof AsyncBoundary, regions: Regions): unknown {
  return class extends type {
    readonly #region = regions.open();
    override componentDidCatch(thrown: unknown): void {
      const region = this.#region, isError = thrown !== region;
      regions.giveUp(region, isError ? 0 : region.waits.length, 0, 0);
      region.isFallback = !isError || !this.props.errorComponent;
      if (isError) super.componentDidCatch(thrown);
    }
    override render(): ComponentChildren {
      const region = regions.current = this.#region, { fallback } = this.props;
      const content = region.isFallback ? fallback : super.render();
      return h(Fragment, null, regions.mark(region, false), content, h(End, { region, regions }));
    }
  };
}

/** What is rendered last in a boundary. By then it is known whether something in it waits. */
function End({ region, regions }: { readonly region: Region; readonly regions: Regions }): string {
  if (region.waits.length && !region.isFallback) throw region;
  regions.current = region.around!;
  return regions.mark(region, true);
}

/** A part of the page that may wait by itself: what one `AsyncBoundary` holds, or what is in none. */
export class Region {
  /** What its components have thrown to wait for. */
  readonly waits: PromiseLike<unknown>[] = [];
  /** What they have read. */
  readonly reads: Answer[] = [];
  /** It shows its fallback, in place of what waits. */
  isFallback = false;
  /** How many regions are right in it. */
  inner = 0;
  /** @param key Names it in all renderings, as far as what is around it is rendered alike. */
  constructor(readonly key: string, readonly around: Region | undefined) {}

  /** What will change it. */
  get awaited(): PromiseLike<unknown>[] {
    return [...this.waits, ...this.reads.flatMap(({ flight }) => flight?.promise ?? [])];
  }
}

/** The regions of one rendering, and what it wrote. */
export class Regions {
  /** What was rendered, with marks where regions begin and end. */
  html = "";
  readonly page: Region = new Region("0", undefined);
  readonly all: Map<string, Region> = new Map([["0", this.page]]);
  /** What components threw that is no promise. */
  readonly thrown: Set<unknown> = new Set();
  /** What is rendered just now. */
  current: Region = this.page;
  /** @param token Nothing that is rendered has it. */
  constructor(readonly token: string) {}

  open(): Region {
    const { current } = this, region = new Region(`${current.key}.${current.inner++}`, current);
    this.all.set(region.key, region);
    return region;
  }
  /** Takes back what a region has noted since it had so much: what that came out of is not on the page. */
  giveUp(region: Region, waits: number, reads: number, inner: number): void {
    region.waits.length = waits;
    region.reads.length = reads;
    for (; region.inner > inner; region.inner--) {
      const key = `${region.key}.${region.inner - 1}`;
      for (const name of this.all.keys()) if (name === key || name.startsWith(`${key}.`)) this.all.delete(name);
    }
    this.current = region;
  }
  mark({ key }: Region, isEnd: boolean): string {
    return `${this.token}${key}${isEnd ? ")" : "("}`;
  }
  /** What will change the page. */
  get awaited(): PromiseLike<unknown>[] {
    return [...this.all.values()].flatMap(({ awaited }) => awaited);
  }
  /** By region, what was rendered in it: text, and the keys of the regions in it, by turns. */
  get parts(): Map<string, string[]> {
    const parts = new Map<string, string[]>(), open: string[][] = [];
    let inner: string[] = [];
    parts.set("0", inner);
    const [first = "", ...pieces] = this.html.split(this.#marks);
    inner.push(first);
    for (let at = 0; at < pieces.length; at += 3) {
      const key = pieces[at]!;
      if (pieces[at + 1] === "(") {
        inner.push(key);
        open.push(inner);
        parts.set(key, inner = []);
      } else inner = open.pop()!;
      inner.push(pieces[at + 2]!);
    }
    return parts;
  }
  /** What was rendered, without marks. */
  get plainHtml(): string {
    return this.html.replace(this.#marks, "");
  }
  get #marks(): RegExp {
    return new RegExp(`${this.token}([\\d.]+)([()])`, "g");
  }
}
