/** The layout shifts of a page. */
import type { Visit } from "./cinema.ts";

/** An element that was elsewhere in the frame before. */
export interface Shift {
  /** The element, its old and its new place. */
  readonly what: string;
  /** Whether it moved within half a second after an input, so that it does not count for CLS. */
  readonly isAnswer: boolean;
}

interface LayoutShift extends PerformanceEntry {
  readonly hadRecentInput: boolean;
  readonly sources: readonly { node: Node | null; previousRect: DOMRectReadOnly; currentRect: DOMRectReadOnly }[];
}

/** Runs in the page before everything else. */
export function watchShifts(): void {
  const shifts: Shift[] = [];
  const observer = new PerformanceObserver((list) => keep(list.getEntries()));
  const keep = (entries: readonly PerformanceEntry[]): void => {
    for (const { hadRecentInput, sources } of entries as LayoutShift[]) {
      const moved = sources.map(({ node, previousRect: { x, y }, currentRect }) => {
        const element = node instanceof Element ? node : node?.parentElement;
        const name = element ? `<${element.localName} class="${element.className}">` : "What is gone";
        return `${name} went from ${x}, ${y} to ${currentRect.x}, ${currentRect.y}`;
      });
      shifts.push({ what: moved.join("; "), isAnswer: hadRecentInput });
    }
  };
  observer.observe({ type: "layout-shift", buffered: true });
  const takeShifts = () => {
    keep(observer.takeRecords());
    return shifts.splice(0);
  };
  Object.assign(globalThis, { takeShifts });
}

/** The shifts since the last call, after nothing is in flight any more. */
export async function takeShifts(visit: Visit): Promise<Shift[]> {
  await visit.rests();
  return await visit.page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    return (globalThis as unknown as { takeShifts(): Shift[] }).takeShifts();
  });
}
