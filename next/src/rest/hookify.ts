import { argsText } from "../plain/args_text.ts";
import type { HookifyResource } from "./hookify_types.ts";

/** Hooks that return the endpoints of a resource, with options for `fetch` that come from a hook of the app. */
export const hookifyResource: HookifyResource = (resource: any, useInit) => {
  const hooks: any = {};
  for (const name of Object.keys(resource)) {
    const endpoint = resource[name];
    // Equal options give the same endpoint.
    let last: any, text: string | undefined;
    hooks[`use${name[0]!.toUpperCase()}${name.slice(1)}`] = () => {
      const requestInit = useInit?.(), now = argsText(requestInit);
      if (!requestInit) return endpoint;
      if (now !== text) last = endpoint.extend({ requestInit: { ...endpoint.requestInit, ...requestInit } });
      text = now;
      return last;
    };
  }
  return hooks;
};
