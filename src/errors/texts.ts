/**
 * The sentences of errors and warnings, apart from the code that has something to say: an entry for development registers
 * them, a production build has none of them. A code says which; docs/errors.md has a section for each.
 *
 * Codes by folder: 100 schemas, 200 normalize and denormalize, 300 store, 400 endpoint, 450 http, 500 rest, 600 controller,
 * 650 parts, 700 managers, 750 preact and signals, 800 legacy.
 *
 * @module
 */

/** By code: the sentence that is made of facts. */
export interface Texts {
  readonly [code: number]: (facts: never) => string;
}

/** Something to say: a code, and what its sentence is made of. */
export interface Said {
  readonly code: number;
  readonly facts: object;
}

/** What is wrong and the way out: a code with its facts, or a sentence of somebody else. */
export type Problem = string | Said;

let known: Texts | undefined;

/** Makes sentences known; for the entry that is made for development. */
export function registerTexts(...texts: readonly Texts[]): void {
  known = Object.assign({}, known, ...texts);
}

/** Whether there are sentences: this is no production build. */
export function hasTexts(): boolean {
  return known !== undefined;
}

/**
 * Says something by its code.
 *
 * @param code Which sentence.
 * @param facts What it is made of.
 */
export function said(code: number, facts: object = {}): Said {
  return { code, facts };
}

/** The sentence; where there is none, a line that leads to its section. */
export function sentenceOf(problem: Problem): string {
  if (typeof problem === "string") return problem;
  const { code, facts } = problem;
  return known?.[code]?.(facts as never) ?? `@rejoin/data ${code}: see docs/errors.md#${code}`;
}

/** The code; 0 for a sentence of somebody else. */
export function codeOf(problem: Problem): number {
  return (problem as Said).code ?? 0;
}
