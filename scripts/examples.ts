/**
 * The TypeScript of documents, as it runs. A reader sees code, and what it gives:
 *
 *     list.length; // → 2
 *     await controller.fetch(get, { id: "9" }); // throws NetworkError: 404
 *
 * Both are checked when the page is tested. What is needed for that and teaches nothing, such as a server, stands in
 * comments around the block, `<!-- setup` before it and `<!-- check` behind it, which a page does not show. There
 * `serve(handler)` answers `https://api.example.com`, and `await show(<App />)` gives the page of a component.
 *
 * @module
 */
import ts from "typescript";

/** The code of one block. */
export interface Example {
  /** The document that it is in. */
  readonly page: string;
  /** The line of its first line, from 1. */
  readonly line: number;
  readonly language: "ts" | "tsx";
  /** What a reader sees. */
  readonly shown: string;
  /** What comes before it and after it, and teaches nothing. */
  readonly setup: string;
  readonly check: string;
  /** What runs: with its setup, and with what is said to come out as checks. */
  readonly code: string;
  /** Where it stands in the app that the page builds, as its first line says: `// src/api.ts`. */
  readonly file: string | undefined;
  /** Only its types are checked here. */
  readonly isIgnored: boolean;
}

const FENCE =
  /(?:^<!-- setup\n([\s\S]*?)^-->\n\n?)?^(`{3,})(tsx?|typescript)\b([^\n`]*)\n([\s\S]*?)^\2\s*$(?:\n\n?<!-- check\n([\s\S]*?)^-->$)?/gm;

const HELPERS = new URL("../tests/docs/_helpers.ts", import.meta.url).href;
const PAGE = new URL("../tests/docs/_page.tsx", import.meta.url).href;

/** The blocks of a document, those that are not run included. */
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

/** Makes checks of the comments `// → value` and `// throws Name: text`. */
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

/** What the comment behind a statement says, or the one on the lines right below it. */
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

/** Whether an expression may end where the text does. */
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
