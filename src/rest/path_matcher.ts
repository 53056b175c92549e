import type { Token } from "../deps/path_to_regexp.ts";

/**
 * Whether a text is a path filled with some parameters: an automaton that is in all of its states at once, so that the
 * time grows with the length of the text and with nothing else. A regular expression of the same path may need the
 * third power of it (CVE-2024-45296).
 */
export class PathMatcher {
  readonly #steps: Step[] = [];

  /** @param tokens The parsed path. */
  constructor(tokens: readonly Token[]) {
    const ends: Jump[] = [];
    this.#compile(tokens, ends);
    for (const jump of ends) jump.to = this.#steps.length;
    this.#steps.push({ op: "end" });
  }

  /** What follows a question mark is no part of the path: there it ends. */
  #compile(tokens: readonly Token[], ends: Jump[]): void {
    const steps = this.#steps;
    for (const token of tokens) {
      if (token.type === "text") {
        const [path = "", search] = token.value.split("?", 2);
        for (let i = 0; i < path.length; i++) steps.push({ op: "char", code: path.charCodeAt(i) });
        if (search !== undefined) {
          const end: Jump = { op: "jump", to: 0 };
          steps.push(end);
          ends.push(end);
          return;
        }
      } else if (token.type === "group") {
        const fork: Fork = { op: "fork", to: 0 };
        steps.push(fork);
        this.#compile(token.tokens, ends);
        fork.to = steps.length;
      } else {
        const start = steps.length;
        steps.push({ op: "inner" });
        steps.push({ op: "fork", to: start });
        if (token.type === "wildcard") {
          steps.push({ op: "fork", to: start + 5 }, { op: "char", code: SLASH }, { op: "jump", to: start });
        }
      }
    }
  }

  /**
   * Whether the whole text matches.
   *
   * @param text An encoded path, without search.
   */
  matches(text: string): boolean {
    const steps = this.#steps;
    // seen[s] === i + 1: step s is among those that may come next after i characters
    const seen = new Uint32Array(steps.length);
    let current: number[] = [];
    let next: number[] = [];
    const add = (to: number[], index: number, time: number): void => {
      const step = steps[index];
      if (step === undefined || seen[index] === time) return;
      seen[index] = time;
      if (step.op === "jump") add(to, step.to, time);
      else if (step.op === "fork") {
        add(to, step.to, time);
        add(to, index + 1, time);
      } else to.push(index);
    };
    add(current, 0, 1);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      for (const index of current) {
        const step = steps[index] as Step;
        if (step.op === "char" ? step.code === code : step.op === "inner" && code !== SLASH) {
          add(next, index + 1, i + 2);
        }
      }
      if (next.length === 0) return false;
      [current, next] = [next, current];
      next.length = 0;
    }
    return current.includes(steps.length - 1);
  }
}

const SLASH = 47;

interface Fork {
  readonly op: "fork";
  to: number;
}

interface Jump {
  readonly op: "jump";
  to: number;
}

/** `inner` is any character inside a segment; `fork` goes on here and there. */
type Step =
  | { readonly op: "char"; readonly code: number }
  | { readonly op: "inner" }
  | Jump
  | { readonly op: "end" }
  | Fork;
