/**
 * Runs the TypeScript of documents. A reader sees code and its results:
 *
 *     list.length; // → 2
 *     await controller.fetch(get, { id: "9" }); // throws NetworkError: 404
 *
 * Both are checked when the page is tested. Code that the test needs but a reader does not, such as a server, is in
 * comments around the block, which a page does not show: `<!-- setup` before it and `<!-- check` after it. In them
 * `serve(handler)` answers `https://api.example.com`, and `await show(<App />)` returns the page of a component.
 *
 * @module
 */
import ts from "typescript";

/** The code of one block. */
export interface Example {
  /** The document of the block. */
  readonly page: string;
  /** The number of its first line, from 1. */
  readonly line: number;
  readonly language: "ts" | "tsx";
  /** The code that a reader sees. */
  readonly shown: string;
  /** The hidden code before and after it. */
  readonly setup: string;
  readonly check: string;
  /** The code that runs: with the setup, and with checks made from the comments. */
  readonly code: string;
  /** Its file in the app that the page builds, from the first line: `// src/api.ts`. */
  readonly file: string | undefined;
  /** Whether only its types are checked here. */
  readonly isIgnored: boolean;
}

const FENCE =
  /(?:^<!-- setup\n([\s\S]*?)^-->\n\n?)?^(`{3,})(tsx?|typescript)\b([^\n`]*)\n([\s\S]*?)^\2\s*$(?:\n\n?<!-- check\n([\s\S]*?)^-->$)?/gm;

const HELPERS = new URL("../tests/docs/_helpers.ts", import.meta.url).href;
const PAGE = new URL("../tests/docs/_page.tsx", import.meta.url).href;

/** Finds the blocks of a document, including those that do not run. */
export function examplesOf(page: string, text: string): Example[] {
  return [...text.matchAll(FENCE)].map((match) => {
    const [all, setup = "", , language, info = "", shown = "", check = ""] = match;
    const before = text.slice(0, match.index + all.indexOf("```"));
    const checked = withChecks(setup + shown + check);
    const dom = /\bshow\(/.test(setup + check) ? `import { show } from "${PAGE}"; ` : "";
    const names = ["$is", "$throws", "serve"].filter((name) => checked.includes(`${name}(`));
    const helpers = names.length === 0 ? "" : `import { ${names.join(", ")} } from "${HELPERS}"; `;
    return {
      page,
      line: before.split("\n").length + 1,
      language: language === "tsx" ? "tsx" : "ts",
      shown,
      setup,
      check,
      code: `${dom}${helpers}${checked}`,
      file: /^\/\/ (src\/\S+)\n/.exec(shown)?.[1],
      isIgnored: /\bignore\b/.test(info),
    };
  });
}

/** Turns the comments `// → value` and `// throws Name: text` into checks. */
function withChecks(code: string): string {
  const source = ts.createSourceFile("example.tsx", code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const edits: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node) || ts.isVariableStatement(node)) {
      const said = commentOf(code, node.end);
      const text = said && checkOf(node, said);
      if (text) edits.push({ from: node.getStart(), to: node.end, text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return edits.reduceRight((result, { from, to, text }) => result.slice(0, from) + text + result.slice(to), code);
}

/** The result in the comment behind a statement, or in the lines right below it. */
function commentOf(code: string, end: number): string | undefined {
  const [behind] = ts.getTrailingCommentRanges(code, end) ?? [];
  if (behind) return saidIn(code.slice(behind.pos, behind.end));
  const [first, ...others] = ts.getLeadingCommentRanges(code, end) ?? [];
  if (first === undefined || code.slice(end, first.pos).trim() !== "" || /\n\s*\n/.test(code.slice(end, first.pos))) {
    return undefined;
  }
  let said = saidIn(code.slice(first.pos, first.end));
  for (const { pos, end } of others) {
    if (said === undefined || isBalanced(said)) break;
    said += `\n${code.slice(pos, end).replace(/^\/\/ ?/, "")}`;
  }
  return said;
}

function saidIn(comment: string): string | undefined {
  return /^\/\/ (→ .*|throws [A-Z]\w*.*)$/.exec(comment)?.[1];
}

/** Whether an expression may end where the text ends. */
function isBalanced(said: string): boolean {
  if (said.endsWith("+")) return false;
  const brackets = said.replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g, "");
  return (brackets.match(/[([{]/g)?.length ?? 0) <= (brackets.match(/[)\]}]/g)?.length ?? 0);
}

function checkOf(node: ts.ExpressionStatement | ts.VariableStatement, said: string): string {
  if (said.startsWith("→ ")) {
    const value = said.slice(2);
    if (ts.isExpressionStatement(node)) return `$is(${node.expression.getText()}, ${value});`;
    const [declaration] = node.declarationList.declarations;
    return `${node.getText()} $is(${declaration!.name.getText()}, ${value});`;
  }
  const [, name = "", text = ""] = /^throws (\w+)(?:: (.*))?$/.exec(said) ?? [];
  return `await $throws(async () => { ${node.getText()} }, ${JSON.stringify(name)}, ${JSON.stringify(text)});`;
}
