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

/** Private options of Preact, which `preact/compat` also uses. */
interface Hooks {
  /** Runs before a vnode is rendered. */
  __b?: ((vnode: VNode) => void) | undefined;
  /** Makes error boundaries work in `renderToString`. */
  errorBoundaries?: boolean | undefined;
}
const hooks = options as Hooks; // Preact declares only the public ones

/**
 * Renders a page once. A component that suspends renders nothing, so that the components beside it start their requests
 * at the same time; at the end of its boundary, the fallback replaces the boundary's content.
 * @param look Called with each vnode before it is rendered.
 * @throws An error that a component throws outside of any boundary.
 */
export function renderPass(render: () => ComponentChild, regions: Regions, look: (vnode: VNode) => void): void {
  const { __b: before, errorBoundaries } = hooks, wrappers = new Map<unknown, unknown>();
  const changed = new Map<{ type: unknown }, unknown>();
  hooks.errorBoundaries = true;
  // A type is replaced only when its vnode is rendered, because a component may look at the types of its children.
  hooks.__b = (vnode) => {
    before?.(vnode);
    look(vnode);
    const { type } = vnode, own: { type: unknown; __c?: unknown } = vnode;
    // A vnode that the app made once may hold the component of an earlier page, with another visitor's data.
    own.__c = undefined;
    // A vnode that is on the page twice was wrapped the first time. A signal inherits its `type` from its class.
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
    // Another page may render a vnode that the app made once, so each gets its own type back.
    for (const [vnode, type] of changed) vnode.type = type;
  }
}

/** The same component, but if it throws a promise it renders nothing, and if it throws an error, the error is noted. */
function wrapped(type: Value, regions: Regions): unknown {
  if (type === End) return type;
  if (type === AsyncBoundary || type.prototype instanceof AsyncBoundary) return withFallback(type, regions);
  if (type.prototype?.render) return passingOverClass(type, regions);
  const run: Run = type;
  // The wrapper needs the static members, because a context has some on its components.
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
  const { componentDidCatch: caught } = type.prototype;
  const Wrapped = class extends type {
    readonly #around = regions.current;
    readonly #noted = [this.#around.waits.length, this.#around.reads.length, this.#around.inner] as const;
    override render(...args: readonly unknown[]): ComponentChildren {
      // A boundary renders again after an error. The content that threw never came to its end, so its notes are dropped.
      regions.giveUp(this.#around, ...this.#noted);
      if (this instanceof ErrorBoundary && this.state.error && !this.props.errorComponent) return null;
      return passingOver(regions, () => super.render(...args));
    }
  };
  // A signal in the content is no wrapped component, so only the boundary can note an error that it throws.
  if (caught) {
    Wrapped.prototype.componentDidCatch = function (thrown, info) {
      regions.thrown.add(thrown);
      caught.call(this, thrown, info);
    };
  }
  return Wrapped;
}

/**
 * The same boundary, but it shows its fallback if a component in it waits. It also does so for an error if it has no
 * `errorComponent`: the browser tries again, and the page shows no error message of the server.
 */
function withFallback(type: typeof AsyncBoundary, regions: Regions): unknown {
  return class extends type {
    readonly #region = regions.open();
    override componentDidCatch(thrown: unknown): void {
      const region = this.#region, isError = thrown !== region;
      regions.giveUp(region, isError ? 0 : region.waits.length, 0, 0);
      region.isFallback = !isError || !this.props.errorComponent;
      if (!isError) return;
      regions.thrown.add(thrown);
      super.componentDidCatch(thrown);
    }
    override render(): ComponentChildren {
      const region = regions.current = this.#region, { fallback } = this.props;
      const content = region.isFallback ? fallback : super.render();
      return h(Fragment, null, regions.mark(region, false), content, h(End, { region, regions }));
    }
  };
}

/** The last child of a boundary. When it is rendered, all components before it have rendered or suspended. */
function End({ region, regions }: { readonly region: Region; readonly regions: Regions }): string {
  if (region.waits.length && !region.isFallback) throw region;
  regions.current = region.around!;
  return regions.mark(region, true);
}

/** A part of the page that can wait by itself: the content of one `AsyncBoundary`, or all that is outside of boundaries. */
export class Region {
  /** The promises that its components threw. */
  readonly waits: PromiseLike<unknown>[] = [];
  /** The answers that its components read. */
  readonly reads: Answer[] = [];
  /** Whether the boundary shows its fallback in place of its content. */
  isFallback = false;
  /** The number of regions directly in it. */
  inner = 0;
  /** @param key Its position as in `0.1.0`, which is the same in all renderings if the regions before and around it are. */
  constructor(readonly key: string, readonly around: Region | undefined) {}

  /** The promises after which it may render differently: those thrown, and the requests for the answers it read. */
  get awaited(): PromiseLike<unknown>[] {
    return [...this.waits, ...this.reads.flatMap(({ flight }) => flight?.promise ?? [])];
  }
}

/** The HTML of one rendering, and its regions. */
export class Regions {
  /** The HTML, with marks where regions begin and end. */
  html = "";
  readonly page: Region = new Region("0", undefined);
  readonly all: Map<string, Region> = new Map([["0", this.page]]);
  /** The errors that components threw. */
  readonly thrown: Set<unknown> = new Set();
  /** The region that is being rendered. */
  current: Region = this.page;
  /** @param token A random text that starts each mark, so that no rendered text looks like one. */
  constructor(readonly token: string) {}

  open(): Region {
    const { current } = this, region = new Region(`${current.key}.${current.inner++}`, current);
    this.all.set(region.key, region);
    return region;
  }
  /** Cuts what a region noted back to earlier lengths, because the content that was rendered since is not on the page. */
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
  /** The promises of all regions. */
  get awaited(): PromiseLike<unknown>[] {
    return [...this.all.values()].flatMap(({ awaited }) => awaited);
  }
  /** For each region its content: text and the keys of inner regions, alternating. */
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
  /** The HTML without marks. */
  get plainHtml(): string {
    return this.html.replace(this.#marks, "");
  }
  get #marks(): RegExp {
    return new RegExp(`${this.token}([\\d.]+)([()])`, "g");
  }
}
