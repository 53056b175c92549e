/**
 * What all property tests share: how often they run, a seed that is printed, and the failures of the past.
 *
 * @module
 */
import * as fc from "fast-check";

const soaking = (): boolean => Deno.env.get("REJOIN_SOAK") === "1";

/** Of how many cases a quick run checks one: what it leaves out is more of the same, and the soak has all. */
const ONE_OF = 3;

/** That of every quick run. */
const QUICK_SEED = 20_261_123;

/**
 * How often a property runs.
 *
 * @param quick About 1 % of the stated number; a quick run takes every third of them.
 * @param soak In `deno task soak` (`REJOIN_SOAK=1`): the number that is promised.
 * @returns What {@linkcode check} is to be told.
 */
export function runs(quick: number, soak: number): number {
  return soaking() ? soak : Math.ceil(quick / ONE_OF);
}

/**
 * How large something is, such as a depth that must overflow whatever recurs: a part of it would prove nothing.
 *
 * @param quick In every test run.
 * @param soak In `deno task soak`.
 * @returns One of the two.
 */
export function size(quick: number, soak: number): number {
  return soaking() ? soak : quick;
}

/**
 * A failure of the past, shrunk: the case itself where it is plain data, which survives any change of the generators,
 * else the `seed` and `path` that fast-check printed.
 */
export type Regression =
  & { /** What was wrong. */ readonly reason: string }
  & ({ /** The arguments of the property. */ readonly example: readonly unknown[] } | {
    /** The `seed` that was printed. */
    readonly seed: number;
    /** The `path` that was printed. */
    readonly path: string;
  });

/** How a property is checked. */
export interface CheckOptions {
  /** Names the property in what is printed, and its file of regressions. */
  readonly name: string;
  /** How often it runs, of {@linkcode runs}. */
  readonly runs: number;
  /** ms after which it says again how far it is. Default: a minute. */
  readonly progress?: number;
}

/**
 * Checks a property: first the failures of the past, then as many cases as asked for. A quick run has the same ones each
 * time, so that a change is judged by what it changes; a soak looks for others, from a new seed.
 *
 * The seed is printed before the run, so that it is known also when the run hangs or is killed; `REJOIN_SEED=…` takes it
 * again. The failures of the past are in `tests/regressions/<name>.json`, as an array of {@linkcode Regression}.
 *
 * @param property What must hold.
 * @param options Name and number of runs.
 * @throws {Error} With the shrunk case, its seed and its path, if it does not hold.
 */
export async function check<T>(
  property: fc.IAsyncProperty<T> | fc.IProperty<T>,
  options: CheckOptions,
): Promise<void> {
  const examples: T[] = [];
  for (const failure of await regressions(options.name)) {
    if ("example" in failure) examples.push(failure.example as T);
    else await fc.assert(property as fc.IAsyncProperty<T>, { seed: failure.seed, path: failure.path, numRuns: 1 });
  }
  const seed = Number(Deno.env.get("REJOIN_SEED") ?? (soaking() ? Math.trunc(Math.random() * 2 ** 31) : QUICK_SEED));
  console.log(`${options.name}: ${options.runs} runs, REJOIN_SEED=${seed}`);
  accompany(property, options);
  await fc.assert(property as fc.IAsyncProperty<T>, { seed, numRuns: options.runs + examples.length, examples });
}

/** So many cases run before others have their turn. */
const STRETCH = 1_000;

/**
 * Says now and then how many cases have run: a soak takes up to an hour. Ends a job of the engine now and then, where
 * cases can be waited for: as long as one goes on, it keeps whatever a weak reference was asked for.
 */
function accompany<T>(
  property: fc.IAsyncProperty<T> | fc.IProperty<T>,
  { name, runs, progress = 60_000 }: CheckOptions,
): void {
  const start = performance.now();
  const run = property.run.bind(property) as fc.IProperty<T>["run"];
  let count = 0;
  let next = progress;
  (property as fc.IProperty<T>).run = (value) => {
    const spent = performance.now() - start;
    if (spent >= next) {
      console.log(`${name}: ${count} of ${runs} runs, ${Math.round(spent / 1_000)} s`);
      next = spent + progress;
    }
    count++;
    if (!property.isAsync() || count % STRETCH > 0) return run(value);
    return new Promise((done) => setTimeout(done)).then(() => run(value)) as unknown as ReturnType<typeof run>;
  };
}

async function regressions(name: string): Promise<readonly Regression[]> {
  const file = new URL(`../regressions/${name}.json`, import.meta.url);
  try {
    return JSON.parse(await Deno.readTextFile(file));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
