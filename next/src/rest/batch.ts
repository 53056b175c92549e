import { argsText } from "../plain/args_text.ts";
import { pathOf } from "./path.ts";

/**
 * Details that are asked for at once become one request to the list: `resource({ …, getMany: batch({ param: "ids" }) })`.
 * What the list does not answer is asked for alone.
 */
export function batch({ param, separator = "," }: { param: string; separator?: string }): (list: string) => any {
  return (list) => {
    const waiting = new Map<string, any[]>();
    /** Sends all calls whose other parameters are equal. */
    async function send(calls: any[], others: any): Promise<void> {
      const [{ endpoint, base }] = calls,
        all = calls.length > 1 ? endpoint.extend({ path: list, fetch: base }) : undefined;
      try {
        const reply = await all?.({ ...others, [param]: calls.map(({ id }) => id).join(separator) });
        const items: any[] = [reply, ...Object.values(reply ?? {})].find(Array.isArray) ?? [];
        for (const { id, endpoint, params, resolve } of calls) {
          const item = items.find((one) => `${endpoint.schema.pk(one)}` === `${id}`);
          resolve(item ?? base.call(endpoint, params));
        }
      } catch (error) {
        for (const { reject } of calls) reject(error);
      }
    }
    return {
      fetch(this: any, params: any): Promise<any> {
        const name = pathOf(this.path).names.at(-1)!, { [name]: id, ...others } = params, key = argsText(others);
        const calls = waiting.get(key) ?? [], base = this.constructor.prototype.fetch;
        if (!calls.length) queueMicrotask(() => (waiting.delete(key), send(calls, others)));
        waiting.set(key, calls);
        return new Promise((resolve, reject) => calls.push({ id, params, endpoint: this, base, resolve, reject }));
      },
    };
  };
}
