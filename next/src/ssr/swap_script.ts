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

/** Defines what the other scripts call. */
export function swapScript(nonce: string): string {
  return `<script${nonce}>self.$rejoin=${SWAP};document.currentScript.remove()</script>`;
}
/** A part of the page that takes the place of what stands between its marks. */
export function swapPiece(content: string, mark: string, key: string, nonce: string): string {
  return `<template>${content}</template><script${nonce}>$rejoin("${mark}","${key}")</script>`;
}
/** The end: no mark stays. */
export function swapEnd(mark: string, nonce: string): string {
  return `<script${nonce}>$rejoin("${mark}")</script>`;
}
