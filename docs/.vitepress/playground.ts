/**
 * The playground of the site: an example that can be edited, and runs in the page against an API of a few lines.
 *
 * @module
 */
import * as data from "@rejoin/data";
import * as dataPreact from "@rejoin/data/preact";
import * as preact from "preact";
import * as hooks from "preact/hooks";
import * as jsx from "preact/jsx-runtime";
import { transform } from "sucrase";

/** What an example may import. */
const modules: Readonly<Record<string, unknown>> = {
  "@rejoin/data": data,
  "@rejoin/data/preact": dataPreact,
  preact,
  "preact/hooks": hooks,
  "preact/jsx-runtime": jsx,
};

const members = { tag: "deno", author: { id: "1", name: "Ann" }, createdAt: "2026-01-01T00:00:00Z" };
const rows: Record<string, unknown>[] = ["Hello", "Again"].map((title, at) => ({ id: `${at + 1}`, title, ...members }));

/** The API of articles: a list that is filtered, one by its id, create, change, delete. */
async function answer(request: Request, isRefused: boolean): Promise<Response> {
  const { method, url } = request, { pathname, searchParams } = new URL(url), id = pathname.split("/")[3];
  await new Promise((resolve) => setTimeout(resolve, 600));
  if (method !== "GET" && isRefused) return Response.json({ message: "refused" }, { status: 422 });
  if (method === "GET" && !id) {
    return Response.json(rows.filter((row) => [...searchParams].every(([name, value]) => row[name] === value)));
  }
  if (!id) rows.push({ id: crypto.randomUUID(), ...members });
  const at = id ? rows.findIndex((row) => row.id === id) : rows.length - 1;
  if (at < 0) return Response.json({ message: "not found" }, { status: 404 });
  if (method === "DELETE") return Response.json(rows.splice(at, 1)[0]);
  if (method !== "GET") Object.assign(rows[at]!, await request.json());
  return Response.json(rows[at]);
}

/** Puts the playground into an element, with the first example of README.md. Gives how to take it away. */
export function playground(place: HTMLElement, readme: string): () => void {
  place.innerHTML = `<textarea aria-label="Code" rows="24" spellcheck="false"></textarea>
    <p><button type="button">Run</button> <label><input type="checkbox"> the server refuses what is sent</label></p>
    <div class="output"></div><pre aria-label="Requests"></pre>`;
  const find = <E extends Element>(selector: string) => place.querySelector<E>(selector)!;
  const [code, refuses] = [find<HTMLTextAreaElement>("textarea"), find<HTMLInputElement>("input")];
  const [output, log] = [find<HTMLElement>(".output"), find<HTMLElement>("pre")];
  const say = (line: unknown) => log.prepend(`${line}\n`);

  const { fetch } = globalThis, stopped = new AbortController();
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init), { pathname, search } = new URL(request.url);
    if (!pathname.startsWith("/api/")) return await fetch(request);
    const response = await answer(request, refuses.checked);
    say(`${request.method} ${pathname}${search} ${response.status}`);
    return response;
  };
  addEventListener("error", (event) => say(event.error), stopped);
  addEventListener("unhandledrejection", (event) => say(event.reason), stopped);

  /** The body of the example's document is the output. */
  const page = new Proxy(document, {
    get(target, name) {
      const value = name === "body" ? output : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const get = (name: string) => {
    if (name in modules) return modules[name];
    throw new Error(`There is no "${name}" here, only ${Object.keys(modules).join(", ")}.`);
  };
  const run = () => {
    preact.render(null, output);
    log.textContent = "";
    try {
      const options = { jsxRuntime: "automatic", jsxImportSource: "preact", production: true } as const;
      const compiled = transform(code.value, {
        transforms: ["typescript", "jsx", "imports"],
        disableESTransforms: true,
        ...options,
      });
      new Function("require", "exports", "document", compiled.code)(get, {}, page);
    } catch (error) {
      say(error);
    }
  };
  code.value = /^```tsx\n([^]*?)^```/m.exec(readme)?.[1] ?? "";
  find<HTMLElement>("button").onclick = run;
  run();
  return () => {
    preact.render(null, output);
    globalThis.fetch = fetch;
    stopped.abort();
  };
}
