/** The main screens of the demo, for tests and tasks that visit all of them. */
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import type { Cinema, FilmJson } from "./cinema.ts";

/** A screen, and how to reach it. */
export interface Screen {
  readonly name: string;
  readonly path: string;
  /** Resolves when the whole screen is there. */
  readonly arrive: (page: Page) => Promise<unknown>;
  /** The part of the page that the screen is about; by default all of it. */
  readonly part?: string;
  /** Whether the server refuses a request on the way, which the browser logs in its console. */
  readonly isRefused?: boolean;
}

/** A picture of one pixel. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** All screens. Those of one path follow each other and can be one visit. */
export async function screensOf(cinema: Cinema): Promise<Screen[]> {
  const [film] = (await cinema.films("")).results as [FilmJson];
  const sees = (selector: string) => (page: Page) => page.locator(selector).first().waitFor();
  const below = (name: string, part: string): Screen => ({
    name,
    path: "/",
    part,
    arrive: async (page) => {
      await seesHome(page);
      await page.locator(part).evaluate((one) => one.scrollIntoView());
    },
  });
  return [
    { name: "wall", path: "/", arrive: seesHome },
    below("code", ".code"),
    below("rated", "[aria-labelledby=rated-by-you]"),
    below("best", "[aria-labelledby=best-rated]"),
    { name: "list", path: "/films?genre=western", arrive: sees("[data-place=list] li[data-film]") },
    { name: "nothing-found", path: "/films?search=zzzz", arrive: sees("[data-place=list] .empty") },
    { name: "no-such-film", path: "/films/999999", arrive: sees(".detail-pane .failure"), isRefused: true },
    { name: "new-film", path: "/new", arrive: sees(".new-film input") },
    { name: "film", path: `/films/${film.id}`, arrive: seesFilm },
    {
      name: "sign-in",
      path: `/films/${film.id}`,
      part: "dialog[open]",
      isRefused: true,
      arrive: async (page) => {
        await seesFilm(page);
        const file = { name: "poster.png", mimeType: "image/png", buffer: PNG };
        await page.locator("input[name=picture]").setInputFiles(file);
        await page.getByRole("dialog", { name: "Who are you?" }).waitFor();
      },
    },
  ];
}

/** Waits for the stage and everything below it. */
export async function seesHome(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelectorAll(".tile").length === 3_201);
  for (const part of [".code li", "[aria-labelledby=best-rated] li[data-film]"]) {
    await page.locator(part).first().waitFor({ state: "attached" });
  }
}

/** Waits for a film and the other films of its director. */
export async function seesFilm(page: Page): Promise<void> {
  await page.locator(".film .more li[data-film], .film .more .none").first().waitFor({ state: "attached" });
}
