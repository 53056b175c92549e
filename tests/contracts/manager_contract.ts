/**
 * What every manager promises, whatever it does.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { Controller, Entity, type Manager } from "@rejoin/data";
import { FakeClock } from "../support/clock.ts";
import { FakePage } from "../support/page.ts";
import { uncaught } from "../support/uncaught.ts";
import { replaceGlobals } from "../support/replace_globals.ts";

/** A record for managers that write. */
export class Film extends Entity {
  id = "";
  title = "";
  static key = "Film";
}

/** Where a manager is tried. */
export interface ManagerStage {
  /** Its page. */
  readonly page: FakePage;
  /** Its clock. */
  readonly clock: FakeClock;
}

/** A manager, and how to see that it works. */
export interface ManagerSubject {
  /** Its class. */
  readonly name: string;
  /** Makes one. */
  make(): Manager;
  /** Makes one whose callbacks, all of them, throw `new Error("the app")`; left out where it has none. */
  makeBroken?(): Manager;
  /** Gives it a reason to do what it is for, and tells whether it did that for this controller. */
  works(controller: Controller, stage: ManagerStage): boolean | Promise<boolean>;
  /** Timers, listeners and connections beyond those of page and clock that are still there. */
  rest?(): number;
}

/** Declares the tests of the contract for a manager. */
export function managerContract(subject: ManagerSubject): void {
  const { name, make, works } = subject;

  /** A test on a page, at whose end nothing may remain. */
  const test = (says: string, run: (stage: ManagerStage) => unknown): void =>
    Deno.test(`${name}: ${says}`, async () => {
      const clock = new FakeClock();
      using _ = clock.install();
      using page = new FakePage();
      await run({ page, clock });
      assertEquals([page.listeners, clock.pending, subject.rest?.() ?? 0], [0, 0, 0], "nothing remains");
    });

  test("works from init to cleanup, and leaves no timer, listener or connection", async (stage) => {
    const controller = new Controller({ managers: [make()] });
    assert(await works(controller, stage));
    assert(await works(controller, stage), "twice");
    controller.cleanup();
  });

  test("init and cleanup may be called twice, in a row and one after the other", async (stage) => {
    const manager = make();
    const controller = new Controller({ managers: [manager] });
    manager.init?.(controller);
    assert(await works(controller, stage));
    manager.cleanup?.(controller);
    assertEquals([stage.page.listeners, stage.clock.pending], [0, 0]);
    manager.cleanup?.(controller);
    manager.init?.(controller);
    assert(await works(controller, stage), "after it was initialized again");
    controller.cleanup();
    manager.cleanup?.();
  });

  test("passes everything on before init and after cleanup", async (stage) => {
    const manager = make();
    const seen: string[] = [];
    const last: Manager = { middleware: () => (next) => (action) => (seen.push(action.type), next(action)) };
    const { middleware } = manager;
    const controller = new Controller({ managers: [middleware === undefined ? {} : { middleware }, last] });
    const write = () => controller.set(Film, { id: "1" }, { title: "Alien" });
    write();
    assertEquals([seen.splice(0), controller.get(Film, "1")?.title], [["set"], "Alien"]);
    manager.init?.(controller);
    manager.cleanup?.(controller);
    write();
    assertEquals(seen.splice(0), ["set"]);
    assert(!await works(controller, stage));
    controller.cleanup();
  });

  test("serves several controllers, and goes on for one when the other stops", async (stage) => {
    const manager = make();
    const [one, two] = [new Controller({ managers: [manager] }), new Controller({ managers: [manager] })];
    assert(await works(one, stage));
    assert(await works(two, stage));
    one.cleanup();
    assert(await works(two, stage), "after the other has stopped");
    manager.cleanup?.();
    assert(!await works(two, stage), "cleanup() without a controller ends all");
    two.cleanup();
  });

  Deno.test(`${name}: works where there is no page and nothing to listen to`, () => {
    using _platform = replaceGlobals({ addEventListener: undefined, removeEventListener: undefined });
    assertEquals(typeof document, "undefined");
    const controller = new Controller({ managers: [make()] });
    controller.set(Film, { id: "1" }, { title: "Alien" });
    assertEquals(controller.get(Film, "1")?.title, "Alien");
    controller.cleanup();
  });

  const { makeBroken } = subject;
  if (makeBroken === undefined) return;
  test("reports what callbacks of the app throw, and stops neither the action nor other managers", async (stage) => {
    const seen: string[] = [];
    const last: Manager = { middleware: () => (next) => (action) => (seen.push(action.type), next(action)) };
    const controller = new Controller({ managers: [makeBroken(), last] });
    const errors = await uncaught(async () => {
      await works(controller, stage);
      await works(controller, stage);
      controller.set(Film, { id: "9" }, { title: "Brazil" });
    });
    assertEquals(controller.get(Film, "9")?.title, "Brazil");
    assertEquals(seen.at(-1), "set");
    assert(errors.length >= 2, "both times");
    assertEquals(new Set(errors.map((error) => (error as Error).message)), new Set(["the app"]));
    controller.cleanup();
  });
}
