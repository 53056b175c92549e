/**
 * Colours for code: comments, texts, words of the language, numbers.
 *
 * @module
 */
import { escape } from "./markdown.ts";

const WORDS =
  /^(?:abstract|as|async|await|break|case|catch|class|const|continue|default|delete|do|else|export|extends|false|finally|for|from|function|if|implements|import|in|infer|instanceof|interface|keyof|let|new|null|of|override|private|readonly|return|satisfies|static|super|switch|this|throw|true|try|type|typeof|undefined|using|void|while|yield)$/;

const TOKENS =
  /(\/\/[^\n]*|\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|(\b\d[\d_.]*\b)|([A-Za-z_$][\w$]*)|([\s\S])/g;

const SHELL = /(#[^\n]*)|("[^"\n]*"|'[^'\n]*')|($^)|($^)|([\s\S])/g;

/**
 * Marks what a language's tokens are.
 *
 * @param code The text.
 * @param language Its name behind the fence; `text` and none have no colours.
 */
export function highlight(code: string, language: string): string {
  if (language === "" || language === "text") return escape(code);
  if (language === "diff") {
    return code.split("\n").map((line) => {
      const kind = line.startsWith("+") ? "added" : line.startsWith("-") ? "gone" : "";
      return kind ? `<i class="${kind}">${escape(line)}</i>` : escape(line);
    }).join("\n");
  }
  const isShell = language === "sh" || language === "bash";
  return [...code.matchAll(isShell ? SHELL : TOKENS)].map(([all, comment, text, number, word]) => {
    if (comment) return `<i class="${/^\/\/ →/.test(comment) ? "gives" : "comment"}">${escape(comment)}</i>`;
    if (text) return `<i class="text">${escape(text)}</i>`;
    if (number) return `<i class="text">${escape(number)}</i>`;
    if (word && WORDS.test(word)) return `<i class="word">${word}</i>`;
    return escape(all);
  }).join("");
}
