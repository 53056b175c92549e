/**
 * Markdown as our pages use it, as HTML: headings, paragraphs, lists, tables, code, links, pictures. No library.
 *
 * @module
 */
import { highlight } from "./highlight.ts";

/** A page as HTML. */
export interface Rendered {
  readonly title: string;
  readonly html: string;
  /** Its sections as plain text, for the search; the first one is the page itself. */
  readonly sections: readonly Section[];
}

/** What stands below a heading. */
export interface Section {
  readonly id: string;
  readonly heading: string;
  readonly level: number;
  text: string;
}

/** Text that stands for itself in HTML. */
export function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** GitHub's anchor of a heading. */
export function anchorOf(heading: string): string {
  return heading.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
}

/**
 * Renders a page.
 *
 * @param markdown Its text.
 * @param linkOf What becomes of a link's target.
 * @param below What stands below a block of code.
 */
export function renderMarkdown(
  markdown: string,
  linkOf: (target: string) => string,
  below: (code: string) => string = () => "",
): Rendered {
  const lines = markdown.replaceAll(/^<!--[\s\S]*?-->\n?/gm, "").split("\n");
  const sections: Section[] = [];
  const anchors = new Map<string, number>();
  const html: string[] = [];
  const inline = (text: string) => renderInline(text, linkOf);
  const note = (text: string): void => {
    const last = sections.at(-1);
    if (last) last.text += `${plain(text)} `;
  };

  for (let at = 0; at < lines.length;) {
    const line = lines[at]!;
    const fence = /^(\s*)(`{3,})(\w*)/.exec(line);
    if (fence) {
      const end = lines.findIndex((other, index) => index > at && other.trim() === fence[2]);
      const code = lines.slice(at + 1, end).map((other) => other.slice(fence[1]!.length)).join("\n");
      html.push(`<pre><code>${highlight(code, fence[3]!)}</code></pre>${below(code)}`);
      const last = sections.at(-1);
      if (last) last.text += `${code} `;
      at = end + 1;
    } else if (/^#{1,6} /.test(line)) {
      const [, marks = "", heading = ""] = /^(#+) +(.*)$/.exec(line)!;
      const base = anchorOf(heading);
      const count = anchors.get(base) ?? 0;
      anchors.set(base, count + 1);
      const id = count === 0 ? base : `${base}-${count}`;
      const level = marks.length;
      sections.push({ id, heading: plain(heading), level, text: "" });
      html.push(
        `<h${level} id="${escape(id)}">${inline(heading)} <a class="to" href="#${escape(id)}">#</a></h${level}>`,
      );
      at++;
    } else if (/^\|/.test(line)) {
      const end = endOf(lines, at, (other) => other.startsWith("|"));
      html.push(renderTable(lines.slice(at, end), inline));
      lines.slice(at, end).forEach(note);
      at = end;
    } else if (/^\s*([-*]|\d+\.) /.test(line)) {
      const end = endOf(lines, at, (other, index) => {
        return /^\s*([-*]|\d+\.) |^ {2,}\S/.test(other) ||
          (other === "" && /^\s*([-*]|\d+\.) |^ {2,}\S/.test(lines[index + 1] ?? ""));
      });
      html.push(renderList(lines.slice(at, end), inline));
      lines.slice(at, end).forEach(note);
      at = end;
    } else if (line.trim() === "") {
      at++;
    } else {
      const end = endOf(lines, at, (other) => other.trim() !== "" && !/^(#{1,6} |\||`{3}|[-*] |\d+\. )/.test(other));
      const text = lines.slice(at, Math.max(end, at + 1)).join("\n");
      html.push(`<p>${inline(text)}</p>`);
      note(text);
      at = Math.max(end, at + 1);
    }
  }
  return { title: sections[0]?.heading ?? "", html: html.join("\n"), sections };
}

function endOf(lines: readonly string[], at: number, goesOn: (line: string, index: number) => boolean): number {
  let end = at;
  while (end < lines.length && goesOn(lines[end]!, end)) end++;
  return end;
}

/** A list; what is indented under an item belongs to it, further lists included. */
function renderList(lines: readonly string[], inline: (text: string) => string): string {
  const indent = /^\s*/.exec(lines[0]!)![0].length;
  const isOrdered = /^\s*\d/.test(lines[0]!);
  const items: string[][] = [];
  for (const line of lines) {
    const item = /^(\s*)(?:[-*]|\d+\.) (.*)$/.exec(line);
    if (item && item[1]!.length === indent) items.push([item[2]!]);
    else items.at(-1)?.push(line);
  }
  const rendered = items.map((item) => {
    const nested = item.findIndex((line, index) => index > 0 && /^\s*([-*]|\d+\.) /.test(line));
    const own = (nested < 0 ? item : item.slice(0, nested)).map((line) => line.trim()).filter(Boolean).join("\n");
    return `<li>${inline(own)}${nested < 0 ? "" : renderList(item.slice(nested).filter(Boolean), inline)}</li>`;
  });
  const tag = isOrdered ? "ol" : "ul";
  return `<${tag}>\n${rendered.join("\n")}\n</${tag}>`;
}

function renderTable(lines: readonly string[], inline: (text: string) => string): string {
  const cellsOf = (line: string) => {
    const cells: string[] = [];
    // A bar in code, or behind a backslash, divides nothing.
    for (const [part] of line.replace(/^\||\|\s*$/g, "").matchAll(/(?:`[^`]*`|\\\||[^|])+/g)) cells.push(part.trim());
    return cells;
  };
  const aligns = cellsOf(lines[1] ?? "").map((cell) => /^-+:$/.test(cell) ? ' class="number"' : "");
  const row = (line: string, tag: string) =>
    `<tr>${cellsOf(line).map((cell, at) => `<${tag}${aligns[at] ?? ""}>${inline(cell)}</${tag}>`).join("")}</tr>`;
  const [head = "", , ...body] = lines;
  return `<div class="wide"><table>\n<thead>${row(head, "th")}</thead>\n<tbody>\n${
    body.map((line) => row(line, "td")).join("\n")
  }\n</tbody>\n</table></div>`;
}

function renderInline(text: string, linkOf: (target: string) => string): string {
  const codes: string[] = [];
  const kept = text.replaceAll(/(`+)([\s\S]*?[^`])\1(?!`)/g, (_, __, code: string) => {
    codes.push(`<code>${escape(code.replace(/^ (.*`.*) $/, "$1"))}</code>`);
    return `\uE000${codes.length - 1}\uE000`;
  });
  return escape(kept)
    .replaceAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g, (_, alt, src) => `<img alt="${alt}" src="${linkOf(src)}">`)
    .replaceAll(
      /\[([^\]]+)\]\((?:&lt;)?([^)\s]+?)(?:&gt;)?\)/g,
      (_, label, to) => `<a href="${linkOf(to)}">${label}</a>`,
    )
    .replaceAll(/\*\*([\s\S]+?)\*\*/g, "<strong>$1</strong>")
    .replaceAll(/(^|[\s(>])_([^_\n][\s\S]*?)_(?=[\s.,;:)!?<]|$)/g, "$1<em>$2</em>")
    .replaceAll(/\\([|*_`\\])/g, "$1")
    .replaceAll(/\uE000(\d+)\uE000/g, (_, index) => codes[Number(index)]!);
}

function plain(text: string): string {
  return text.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/[`*|]|-{3,}/g, " ").replaceAll(/\s+/g, " ")
    .trim();
}
