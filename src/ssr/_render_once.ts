import type { Controller } from "../controller/controller.ts";
import { type Component, type ComponentChild, Fragment, h, options, type VNode } from "../deps/preact.ts";
import { renderToString } from "../deps/render_to_string.ts";
import { AsyncBoundary } from "../preact/async_boundary.ts";
import { ControllerProvider, type ControllerProviderProps } from "../preact/controller_provider.ts";
import type { Region, Regions } from "./_regions.ts";

type FunctionComponent = (this: unknown, props: unknown, context: unknown) => ComponentChild;
type Rendered = Component & { render(...args: readonly unknown[]): ComponentChild };
type ClassComponent = new (props: object, context: unknown) => Rendered;

/** Of the options of Preact what has no public name, as `@preact/signals` and `preact/compat` use it, too. */
interface PreactOptions {
  /** A vnode is about to be rendered. */
  __b?: ((vnode: VNode) => void) | undefined;
  /** Error boundaries work on servers, too. */
  errorBoundaries?: boolean | undefined;
}

const hooks = options as PreactOptions;

/**
 * Renders a page as far as it can be. A component that throws a promise renders nothing, and those beside it begin what
 * they need at the same time: the renderer itself would wait for the first before it looks at the second. Then the
 * fallback of its boundary is rendered in place of what that holds.
 *
 * @param render Gives the page.
 * @param regions Takes note of what is where, and of who waits.
 * @param shows Is told of each store that is shown; it throws where that must not be.
 * @throws What a component throws outside of any boundary.
 */
export function renderOnce(
  render: () => ComponentChild,
  regions: Regions,
  shows: (controller: Controller) => void,
): void {
  const { __b: onDiff, errorBoundaries } = hooks;
  const wrappers = new Map<unknown, unknown>();
  const changed = new Map<{ type: unknown }, unknown>();
  hooks.errorBoundaries = true;
  // Not before: a component may look at what its children are.
  hooks.__b = (vnode) => {
    onDiff?.(vnode);
    const own = vnode as { type: unknown };
    const { type } = own;
    // One that stands on the page twice is wrapped by then.
    if (typeof type !== "function" || type === Fragment || type === End || changed.has(own)) return;
    if (type === ControllerProvider) shows((vnode.props as ControllerProviderProps).controller);
    let wrapped = wrappers.get(type);
    if (wrapped === undefined) {
      const { prototype } = type as { readonly prototype?: object };
      wrapped = prototype === undefined || !("render" in prototype)
        ? passingOver(type as FunctionComponent, regions)
        : prototype === AsyncBoundary.prototype || prototype instanceof AsyncBoundary
        ? withFallback(type as typeof AsyncBoundary, regions)
        : passingOverClass(type as ClassComponent, regions);
      wrappers.set(type, wrapped);
    }
    changed.set(own, type);
    own.type = wrapped;
  };
  try {
    regions.html = renderToString(render() as VNode);
  } finally {
    Object.assign(hooks, { __b: onDiff, errorBoundaries });
    // One that an app has made once is rendered again.
    for (const [vnode, type] of changed) vnode.type = type;
  }
}

/** The same component, but where it throws a promise it renders nothing. */
function passingOver(type: FunctionComponent, regions: Regions): FunctionComponent {
  const wrapped: FunctionComponent = function (props, context) {
    return regions.unlessItWaits(() => type.call(this, props, context));
  };
  // Contexts and compat have members on theirs.
  return Object.assign(wrapped, type);
}

function passingOverClass(type: ClassComponent, regions: Regions): ClassComponent {
  return class extends type {
    readonly #around = regions.current;
    readonly #giveUp = regions.note(this.#around);

    override render(...args: readonly unknown[]): ComponentChild {
      // Again when it has caught an error: what that came out of has no end.
      regions.enter(this.#around);
      this.#giveUp();
      return regions.unlessItWaits(() => super.render(...args));
    }
  };
}

/** The same boundary, but where something in it waits it shows its fallback. */
function withFallback(type: typeof AsyncBoundary, regions: Regions): typeof AsyncBoundary {
  return class extends type {
    readonly #region = regions.open();
    readonly #giveUp = regions.note(this.#region);

    override componentWillMount(): void {
      super.componentWillMount();
      if (!type.isInFailed(this)) regions.count(this.#region);
    }

    override componentDidCatch(thrown: unknown): void {
      if (thrown === this.#region) return regions.fallBack(this.#region);
      this.#giveUp();
      super.componentDidCatch(thrown);
    }

    override render(): ReturnType<AsyncBoundary["render"]> {
      const region = this.#region;
      regions.enter(region);
      const content = region.isFallback ? this.props.fallback : super.render();
      return h(Fragment, null, region.start, content, h(End, { region, regions }));
    }
  };
}

/** What is rendered last in a boundary. By then it is known whether something in it waits. */
function End({ region, regions }: { readonly region: Region; readonly regions: Regions }): string {
  if (region.mustFallBack) throw region;
  regions.leave(region);
  return region.end;
}
