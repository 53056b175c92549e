// The documented options of `@deno/dnt` 0.42 that scripts/build_npm.ts uses. The package is on JSR only; with these
// types `deno check` needs no JSR. scripts/dnt.json names the package itself.

/** An export of the package. */
export interface EntryPoint {
  kind?: "bin" | "export";
  name: string;
  path: string;
}

/** An npm package for a specifier of the sources. */
export interface PackageMapping {
  name: string;
  version?: string;
  subPath?: string;
  peerDependency?: boolean;
}

/** The fields of package.json that dnt does not derive. */
export interface PackageJson {
  name: string;
  version: string;
  description?: string;
  license?: string;
  [field: string]: unknown;
}

export interface BuildOptions {
  entryPoints: (string | EntryPoint)[];
  outDir: string;
  shims: { deno?: boolean | "dev"; timers?: boolean | "dev" };
  test?: boolean;
  typeCheck?: "both" | "single" | false;
  declaration?: "inline" | "separate" | false;
  declarationMap?: boolean;
  scriptModule?: "cjs" | "umd" | false;
  skipSourceOutput?: boolean;
  mappings?: { [specifier: string]: PackageMapping };
  package: PackageJson;
  compilerOptions?: {
    target?: "ES2021" | "ES2022" | "ES2023" | "Latest";
    lib?: ("ES2022" | "ES2023" | "ESNext" | "DOM" | "DOM.Iterable")[];
    noUncheckedIndexedAccess?: boolean;
    skipLibCheck?: boolean;
  };
  postBuild?: () => void | Promise<void>;
}

export function build(options: BuildOptions): Promise<void>;
export function emptyDir(dir: string | URL): Promise<void>;
