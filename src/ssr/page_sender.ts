import type { Regions } from "./render_pass.ts";

/** Writes a streamed page: the first HTML with its fallbacks, then each region that replaces a fallback. */
export class PageSender {
  /** Starts the comments that mark regions. It is random, so that text of visitors cannot imitate a mark. */
  readonly #mark = `${crypto.randomUUID()}:`;
  /** For each region that was sent: its text and the keys of its inner regions, as the browser has them. */
  readonly #sent = new Map<string, string>();
  #parts = new Map<string, string[]>();
  constructor(readonly nonce: string) {}

  /** The HTML of the whole page, with marks around its regions. */
  first(regions: Regions): string {
    this.#parts = regions.parts;
    return this.#content("0");
  }
  /** The script that defines `$rejoin`, which puts later regions into their place. */
  get script(): string {
    return `<script${this.nonce}>self.$rejoin=${SWAP};document.currentScript.remove()</script>`;
  }
  /** Templates and scripts for the regions that differ from what the browser has. If `isLast`, also for those that wait. */
  changes(regions: Regions, isLast: boolean): string {
    this.#parts = regions.parts;
    const { nonce } = this, mark = this.#mark;
    const pieces = Array.from(
      this.#changed("0", (key) => isLast || !regions.all.get(key)?.awaited.length),
      (key) => `<template>${this.#content(key)}</template><script${nonce}>$rejoin("${mark}","${key}")</script>`,
    );
    return pieces.join("") + (isLast ? `<script${nonce}>$rejoin("${mark}")</script>` : "");
  }
  #content(key: string): string {
    const parts = this.#parts.get(key)!;
    this.#sent.set(key, parts.join("\0"));
    return parts.map((part, at) => at % 2 ? this.#marked(part) : part).join("");
  }
  #marked(key: string): string {
    return `<!--${this.#mark}${key}-->${this.#content(key)}<!--/${this.#mark}${key}-->`;
  }
  /** The keys of the outermost regions that changed since they were sent. HTML outside of all regions is sent once. */
  *#changed(key: string, maySend: (key: string) => boolean): Generator<string> {
    const parts = this.#parts.get(key)!, isSent = this.#sent.get(key) === parts.join("\0");
    if (isSent || key === "0") {
      for (let at = 1; at < parts.length; at += 2) {
        if (this.#sent.has(parts[at]!)) yield* this.#changed(parts[at]!, maySend);
      }
    } else if (maySend(key)) yield key;
  }
}

/**
 * Runs in the browser, as a script without imports: puts the template before the script into the place of the region
 * `key`. Without a key it removes all marks.
 */
const SWAP = /* @__PURE__ */ `(mark,key)=>{
const script=document.currentScript,from=script.previousElementSibling,walk=document.createTreeWalker(document,128),all=[];
let node,start,end;
while(node=walk.nextNode()){const{data}=node;
if(data.startsWith(mark)||data.startsWith("/"+mark))all.push(node);
if(data===mark+key)start=node;
if(data==="/"+mark+key)end=node}
if(key===undefined){for(node of all)node.remove();delete self.$rejoin}
else{
if(start&&end){
let above=start.parentNode,{content}=from;
if(above.namespaceURI!==from.namespaceURI){const range=document.createRange();range.selectNodeContents(above);content=range.createContextualFragment(from.innerHTML)}
while(start.nextSibling!==end)start.nextSibling.remove();
above.insertBefore(content,end)}
from.remove()}
script.remove()}`.replaceAll("\n", "");
