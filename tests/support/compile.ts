import { fileURLToPath } from "node:url";
import ts from "npm:typescript@^6";

/** The result of type-checking some sources. */
export interface Compiled {
  /** Each error as `file.ts TS2322: text`, with its chain of reasons on further lines. */
  readonly errors: readonly string[];
  /** The number of instantiations: the cost of type-checking, which is the same on every machine. */
  readonly instantiations: number;
  /** The time of the check in ms. */
  readonly duration: number;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
};

// The files of the library and of the compiler are parsed once for all programs.
const parsed = new Map<string, ts.SourceFile | undefined>();

/**
 * Type-checks sources that import from `@rejoin/data`, with the library's own compiler options.
 *
 * @param sources The text of each file, by name. The files are in `/app/`.
 * @returns Errors and cost.
 */
export function compile(sources: Readonly<Record<string, string>>): Compiled {
  const host = ts.createCompilerHost(OPTIONS);
  const readSource = host.getSourceFile;
  const path = (name: string): string => `/app/${name}`;
  const files = new Map(Object.entries(sources).map(([name, text]) => [path(name), text]));
  host.getSourceFile = (name, languageVersion, ...others) => {
    const text = files.get(name);
    if (text !== undefined) return ts.createSourceFile(name, text, languageVersion);
    if (!parsed.has(name)) parsed.set(name, readSource(name, languageVersion, ...others));
    return parsed.get(name);
  };
  const fileExists = host.fileExists;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.resolveModuleNameLiterals = (literals, containingFile, _, options) =>
    literals.map(({ text }) => {
      const sibling = path(text.replace(/^\.\//, ""));
      if (files.has(containingFile) && files.has(sibling)) {
        return { resolvedModule: { resolvedFileName: sibling, extension: ".ts" } };
      }
      const specifier = text === "@rejoin/data" ? `${ROOT}mod.ts` : text === "@rejoin/data/preact" // what its hooks accept; their values need JSX
        ? `${ROOT}src/preact/accepted_types.ts`
        : text.replace(/^npm:((?:@[^/]+\/)?[^@/]+)(?:@[^/]*)?/, "$1");
      const from = files.has(containingFile) ? `${ROOT}mod.ts` : containingFile;
      return ts.resolveModuleName(specifier, from, options, host);
    });
  const program = ts.createProgram([...files.keys()], OPTIONS, host);
  const start = performance.now();
  // Only the sources are checked, because `deno check` has checked the library already.
  const own = [...files.keys()].flatMap((name) => ts.getPreEmitDiagnostics(program, program.getSourceFile(name)));
  const errors = own.map((error) =>
    `${error.file?.fileName.replace("/app/", "") ?? ""} TS${error.code}: ${
      ts.flattenDiagnosticMessageText(error.messageText, "\n")
    }`
  );
  return { errors, instantiations: program.getInstantiationCount(), duration: performance.now() - start };
}
