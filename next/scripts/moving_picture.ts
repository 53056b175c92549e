/**
 * The demo's first minute as a picture that moves: what a browser paints while somebody plays the scenes, as an animated
 * WebP. Of each frame only what has changed is kept.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import WebP from "node-webpmux";
import type { Browser, FrameLocator, Page } from "playwright-core";
import { Cinema } from "../tests/demo/cinema.ts";
import { seesHome } from "../tests/demo/screens.ts";

const SIZE = { width: 1120, height: 790 };
/** One frame is kept of each, in ms. */
const MOMENT = 100;
const QUALITY = 0.85;

interface Frame {
  /** As the browser compresses it: a PNG in base64. */
  readonly png: string;
  /** When it was painted, in ms. */
  readonly time: number;
}

/** Plays, records and packs; resolves with the file. */
export async function makeMovingPicture(log: (sentence: string) => void): Promise<Uint8Array> {
  await using cinema = await Cinema.start();
  await using visit = await cinema.open("about:blank", SIZE);
  // The browser reports the write that fails.
  visit.expectsFailures = true;
  const { page } = visit;
  await page.addInitScript(showHand);
  await page.goto(cinema.server.url);
  await seesHome(page);
  await visit.rests();
  const { results } = await cinema.films("");
  const frames = await recorded(page, () => play(page, results.map(({ id }) => id), log));
  log(`${frames.length} frames were painted`);
  return await packed(cinema.browser, frames);
}

/** Runs in the page: a hand, for a browser without a screen has none, and a line that says what happens. */
function showHand(): void {
  if (window !== top) return;
  addEventListener("DOMContentLoaded", () => {
    const hand = document.createElement("div");
    hand.style.cssText = "position:fixed;z-index:99;left:0;top:0;width:22px;height:30px;pointer-events:none;" +
      "background:#fff;filter:drop-shadow(0 0 1px #000) drop-shadow(0 1px 2px #000);" +
      "clip-path:polygon(0 0,0 78%,26% 62%,42% 100%,60% 92%,44% 56%,82% 56%)";
    const caption = document.createElement("p");
    caption.id = "caption";
    caption.style.cssText = "position:fixed;z-index:98;left:54%;top:9px;margin:0;padding:8px 16px;" +
      "translate:-50%;border-radius:10px;background:#231c19;color:#fff;white-space:nowrap;" +
      "font:600 16px/24px system-ui,sans-serif;pointer-events:none";
    caption.hidden = true;
    document.documentElement.append(hand, caption);
    addEventListener("mousemove", ({ clientX, clientY }) => {
      hand.style.transform = `translate(${clientX}px, ${clientY}px)`;
    }, true);
  });
}

async function play(page: Page, ids: readonly number[], log: (sentence: string) => void): Promise<void> {
  const say = async (text: string) => {
    log(text);
    await page.evaluate((text) => {
      const caption = document.querySelector<HTMLElement>("#caption")!;
      caption.textContent = text;
      caption.hidden = false;
    }, text);
  };
  const look = (seconds: number) => page.waitForTimeout(1000 * seconds);
  const press = async (selector: string, inside: Pick<FrameLocator, "locator"> = page) => {
    const box = await inside.locator(selector).boundingBox();
    if (!box) throw new Error(`There is no ${selector}`);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
    await page.mouse.down();
    await page.mouse.up();
  };
  const touch = (place: number) => press(`.tile[data-film="${ids[place]}"]`);
  const settled = () => page.waitForFunction(() => document.querySelector(".pending") === null);

  await page.mouse.move(760, 420);
  await say("3,201 components. Touch one: one runs");
  await look(1);
  await touch(1);
  await look(1.6);
  await touch(1);
  await look(1.4);
  await say("A slow server: what is pending is violet");
  await press(".positions label:has([value=slow])");
  await look(0.8);
  for (const place of [2, 3, 4, 5]) await touch(place);
  await look(0.4);
  await press(".positions label:has([value=fails])");
  await say("One write fails: exactly that one falls back");
  await page.locator(".touched.fell, .tile[data-fell]").first().waitFor();
  await settled();
  await look(2.2);
  await say("A second visitor: what they write is here at once");
  await page.locator(".visit").evaluate((one) => one.scrollIntoView());
  await look(0.6);
  await press(".visit button");
  const pane = page.frameLocator("iframe");
  await pane.locator(".live.on").waitFor();
  await look(0.8);
  await press("header button", pane);
  await pane.getByRole("button", { name: "Rates 1 more …" }).waitFor();
  await pane.getByRole("button", { name: "Rate six films" }).waitFor();
  await look(1.6);
}

/** What the page paints while something is played. */
async function recorded(page: Page, play: () => Promise<void>): Promise<Frame[]> {
  const frames: Frame[] = [];
  const devtools = await page.context().newCDPSession(page);
  devtools.on("Page.screencastFrame", ({ data, metadata: { timestamp = 0 }, sessionId }) => {
    frames.push({ png: data, time: 1000 * timestamp });
    void devtools.send("Page.screencastFrameAck", { sessionId }).catch(() => {});
  });
  await devtools.send("Page.startScreencast", { format: "png", everyNthFrame: 4 });
  await play();
  await devtools.send("Page.stopScreencast");
  return frames;
}

/** Part of a frame, as WebP in base64; `undefined`: nothing has changed. */
type Part = { readonly x: number; readonly y: number; readonly webp: string } | undefined;

async function packed(browser: Browser, frames: readonly Frame[]): Promise<Uint8Array> {
  const inOrder = frames.toSorted((a, b) => a.time - b.time);
  // The last one of each moment.
  const chosen = [...new Map(inOrder.map((frame) => [Math.floor(frame.time / MOMENT), frame])).values()];
  const page = await browser.newPage();
  const parts: { readonly part: Exclude<Part, undefined>; readonly time: number }[] = [];
  for (const { png, time } of chosen) {
    const part = await page.evaluate(changedPart, { png, quality: QUALITY });
    if (part) parts.push({ part, time });
  }
  await page.close();
  const last = chosen.at(-1)!.time + 1_500;
  const images = await Promise.all(parts.map(({ part: { x, y, webp }, time }, index) =>
    WebP.Image.generateFrame({
      buffer: Buffer.from(webp, "base64"),
      // The format counts places in twos.
      x: x / 2,
      y: y / 2,
      delay: Math.round((parts[index + 1]?.time ?? last) - time),
      blend: true,
      dispose: false,
    })
  ));
  return await WebP.Image.save(null, { ...SIZE, frames: images, loops: 0, bgColor: [255, 255, 255, 255] });
}

/** Runs in a page: what is other than in the frame before, on nothing. */
async function changedPart({ png, quality }: { png: string; quality: number }): Promise<Part> {
  const memory = globalThis as { before?: Uint32Array };
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext("2d")!;
  context.drawImage(bitmap, 0, 0);
  const image = context.getImageData(0, 0, width, height);
  const now = new Uint32Array(image.data.buffer);
  const before = memory.before ?? new Uint32Array(now.length);
  memory.before = now.slice();
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let at = 0; at < now.length; at++) {
    if (now[at] === before[at]) {
      now[at] = 0;
      continue;
    }
    const x = at % width;
    const y = (at - x) / width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = y;
  }
  if (right < 0) return undefined;
  // To be told in twos.
  left &= ~1;
  top &= ~1;
  const part = new OffscreenCanvas(right - left + 1, bottom - top + 1);
  part.getContext("2d")!.putImageData(image, -left, -top);
  const bytes = new Uint8Array(await (await part.convertToBlob({ type: "image/webp", quality })).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return { x: left, y: top, webp: btoa(text) };
}
