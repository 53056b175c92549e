/** The types of the packed package, with the oldest and the newest supported TypeScript, in all module resolutions. */
import { Consumer, npmTest } from "./consumer.ts";

const USE = `
import { Controller, createResource, Entity, type ReadEndpoint } from "@rejoin/data";
import { useSuspense } from "@rejoin/data/preact";

class User extends Entity {
  id = "";
  username = "";
  pk() { return this.id; }
  static key = "User";
}
class Article extends Entity {
  id = "";
  title = "";
  author = User.fromJS();
  createdAt = new Date(0);
  tags: string[] = [];
  static key = "Article";
  static schema = { author: User, createdAt: Date };
}
export const ArticleResource = createResource({ urlPrefix: "https://api.example.com", path: "/articles/:id", schema: Article });

export const Extended = ArticleResource.extend("publish", { path: "/articles/:id/publish", method: "POST" });
export const getNextPage = ArticleResource.getList.paginated("cursor");

/** Compiler versions infer type parameters differently. */
export const make = <S extends typeof Entity, const P extends string>(schema: S, path: P) =>
  createResource({ path, schema });
export function useMine<E extends ReadEndpoint>(endpoint: E, ...args: E["~types"]["args"]): E["~types"]["data"] {
  return useSuspense(endpoint, ...args);
}
export async function read(controller: Controller): Promise<[string, string, Date, Article[]]> {
  const article = await controller.fetch(ArticleResource.get, { id: "5" });
  const list: Article[] = await controller.fetch(make(Article, "/articles/:id").getList, { tag: "deno" });
  await controller.fetch(ArticleResource.partialUpdate, { id: "5" }, { title: "New" });
  // @ts-expect-error an entity has the members that it declares
  void article.nothing;
  // @ts-expect-error the path has no such parameter
  await controller.fetch(ArticleResource.get, { slug: "5" });
  return [article.title, article.author.username, article.createdAt, list];
}
export function View(): string {
  const article: Article = useMine(ArticleResource.get, { id: "5" });
  // @ts-expect-error a title is text
  const title: number = article.title;
  return String(title);
}
`;

/** The options of a Vite template. A compiler whose `lib` does not know `using` must read our declarations, too. */
const USE_WITHOUT_USING = `
import { Controller } from "@rejoin/data";
import { renderPageToStream } from "@rejoin/data/ssr";
import { FaultFetch, mount, renderDataHook } from "@rejoin/data/testing";

void renderPageToStream;
new FaultFetch(() => new Response()).install()();
export const typed: string = mount("Hello").find("input").value;
renderDataHook(() => 5, { controller: new Controller() }).unmount();
`.trimStart();

const COMPILER_OPTIONS = {
  target: "ES2022",
  lib: ["ESNext", "DOM", "DOM.Iterable"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  // An app may have `composite: true`.
  declaration: true,
  emitDeclarationOnly: true,
  outDir: "out",
  // The declarations are checked as well, but those of the compiler are not ours.
  skipLibCheck: false,
  skipDefaultLibCheck: true,
};

/**
 * The module resolutions, and the file extensions that use them. `.cts` is CommonJS, whose imports become `require`.
 */
const RESOLUTIONS = [
  { module: "Node16", moduleResolution: "Node16", files: ["use.mts", "use.cts"] },
  { module: "NodeNext", moduleResolution: "NodeNext", files: ["use.mts", "use.cts"] },
  { module: "ESNext", moduleResolution: "Bundler", files: ["use.ts"] },
];

for (const typescript of ["typescript-5.4", "typescript-7"]) {
  npmTest(
    `the packed package has its types for ${typescript} in ES modules and CommonJS, in Node and for bundlers`,
    async () => {
      const consumer = await Consumer.open(typescript);
      for (const { files, ...options } of RESOLUTIONS) {
        // Up to TypeScript 5.4, NodeNext was the same as Node16.
        if (typescript === "typescript-5.4" && options.module === "Node16") continue;
        for (const file of files) await consumer.write(file, USE);
        const config = { compilerOptions: { ...COMPILER_OPTIONS, ...options }, files };
        await consumer.write("tsconfig.json", JSON.stringify(config));
        await consumer.checkTypes("tsconfig.json", typescript);
      }
      await consumer.write("plain.ts", USE_WITHOUT_USING);
      const bundler = { module: "ESNext", moduleResolution: "Bundler", lib: ["ES2022", "DOM", "DOM.Iterable"] };
      const config = { compilerOptions: { ...COMPILER_OPTIONS, ...bundler }, files: ["plain.ts"] };
      await consumer.write("tsconfig.json", JSON.stringify(config));
      await consumer.checkTypes("tsconfig.json", typescript);
    },
  );
}
