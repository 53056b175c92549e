/**
 * What Preact DevTools do to a page: they wrap the options of Preact, and run a component once more, on a stand-in, to see
 * which hooks it has. To be imported before anything that renders.
 *
 * @module
 */
import { h, type Options, type VNode } from "preact";

/** As much of the inside of Preact as DevTools look at. */
interface Inside {
  readonly type: unknown;
  __c?: { readonly props: unknown; readonly context: unknown; readonly __H?: unknown; constructor: unknown } | null;
}
type Wrapped = Options & Record<"__b" | "__c" | "__r" | "__s", ((...args: unknown[]) => void) | undefined | boolean>;

let options: Wrapped | undefined;
const rendered = new Map<unknown, Inside>();

/** What they were told since. */
export const seen = { version: "", commits: 0, unmounts: 0 };

Object.assign(globalThis, {
  __PREACT_DEVTOOLS__: {
    attachPreact(version: string, given: Options) {
      seen.version = version;
      options = given as Wrapped;
      const { vnode, diffed, unmount, __b, __c } = options;
      const call = (hook: unknown, ...args: unknown[]) =>
        (hook as ((...args: unknown[]) => void) | undefined)?.(...args);
      Object.assign(options, {
        vnode: (one: object) => {
          Object.assign(one, { startTime: 0, endTime: -1 });
          call(vnode, one);
          Object.assign(one, { old: null });
        },
        __b: (one: object) => call(__b, Object.assign(one, { startTime: performance.now() })),
        diffed: (one: object) => {
          rendered.set((one as Inside).type, one as Inside);
          call(diffed, Object.assign(one, { endTime: performance.now() }));
        },
        __c: (...args: unknown[]) => {
          seen.commits++;
          call(__c, ...args);
        },
        unmount: (one: object) => {
          seen.unmounts++;
          call(unmount, one);
        },
      });
    },
  },
});
await import("preact/devtools");

/**
 * Shows the hooks of a component in their panel.
 *
 * @param type The component, which was rendered.
 * @returns Whether it came to its end; what it throws is of no interest to them.
 */
export function inspect(type: unknown): boolean {
  const vnode = rendered.get(type)!;
  const component = vnode.__c!;
  const { props, context, __H } = component;
  // They show nothing of a component without hooks of Preact.
  if (__H === undefined) throw new Error("it has no hooks");
  const standIn = { props, context, state: {}, __hooks: __H, __H, __v: h("div", null) as VNode & Inside };
  standIn.__v.__c = standIn as never;
  const hooks = options!;
  hooks.__s = true;
  try {
    (hooks.__r as (...args: unknown[]) => void)(standIn.__v, null);
    (component.constructor as (props: unknown, context: unknown) => unknown).call(standIn, props, context);
    hooks.diffed?.(vnode as unknown as VNode);
    return true;
  } catch {
    return false;
  } finally {
    hooks.__s = false;
  }
}
