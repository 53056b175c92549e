import { PathTemplate } from "./path_template.ts";
import type { AnyRestEndpoint } from "./rest_types.ts";

/**
 * The scope of a resource's mutations: the place of the record that a call is about, whatever the path of the endpoint.
 * A record that has no pk yet has no place, and its creation waits for nobody.
 *
 * @param path Where one record is.
 * @param name Names the resource.
 */
export function recordScope(path: string, name: string) {
  const template = new PathTemplate(path, { name });
  return function (this: AnyRestEndpoint, ...args: readonly unknown[]): string | undefined {
    try {
      const { params, body } = this.readArgs(args);
      const members = { ...body as object, ...params };
      const text = template.fillPlain(members) ?? template.fill(members, this).text;
      return `${this.urlPrefix ?? ""}${text}`;
    } catch {
      return undefined;
    }
  };
}
