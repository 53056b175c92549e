import type { Regions } from "./render_pass.ts";

/** Writes a page part by part: what is there, then what has taken its place. */
export class PageSender {
  /** Begins the comments around regions. What visitors write does not know it. */
  readonly #mark = `${crypto.randomUUID()}:`;
  /** By key, what stands in the document, with the keys of what is in it. */
  readonly #sent = new Map<string, string>();
  #parts = new Map<string, string[]>();
  constructor(readonly nonce: string) {}

  /** All of a page, with marks around its regions. */
  first(regions: Regions): string {
    this.#parts = regions.parts;
    return this.#content("0");
  }
  /** Defines what puts the parts into place. */
  get script(): string {
    return `<script${this.nonce}>self.$rejoin=${SWAP};document.currentScript.remove()</script>`;
  }
  /** What is not in the document as it was rendered; of what still waits only `isLast`. */
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
  /** The outermost regions that are to be sent. What is outside of all stays as it is. */
  *#changed(key: string, maySend: (key: string) => boolean): Generator<string> {
    const parts = this.#parts.get(key)!, isSent = this.#sent.get(key) === parts.join("\0");
    if (isSent || key === "0") {
      for (let at = 1; at < parts.length; at += 2) {
        if (this.#sent.has(parts[at]!)) yield* this.#changed(parts[at]!, maySend);
      }
    } else if (maySend(key)) yield key;
  }
}

/** Puts what came later into its place; without a key, takes all marks away. In the browser, as a script without imports. */
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
