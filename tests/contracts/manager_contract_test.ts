import {
  type Controller,
  defaultManagers,
  DevToolsManager,
  Endpoint,
  FocusManager,
  LogManager,
  LogoutManager,
  type Manager,
  PollingManager,
  StreamManager,
} from "@rejoin/data";
import type { StreamListener, StreamSource } from "@rejoin/data/extend";
import { watch } from "../../src/store/watch.ts";
import { flush } from "../support/clock.ts";
import { FakeReduxDevTools } from "../support/redux_devtools.ts";
import { Film, managerContract, type ManagerStage } from "./manager_contract.ts";

const throws = () => {
  throw new Error("the app");
};

let polls = 0;
const getPrice = new Endpoint(() => Promise.resolve({ price: ++polls }), { name: "getPrice", pollFrequency: 1_000 });

async function isPolled(controller: Controller, { clock }: ManagerStage): Promise<boolean> {
  const before = polls;
  controller.subscribe(getPrice);
  await clock.tickAsync(1_000);
  controller.unsubscribe(getPrice);
  return polls > before;
}

managerContract({ name: "PollingManager", make: () => new PollingManager(), works: isPolled });

let isRefusing = false;
const getFilm = new Endpoint(
  (id: string) =>
    isRefusing
      ? Promise.reject(Object.assign(new Error("401"), { status: 401 }))
      : Promise.resolve({ id, title: "Alien" }),
  { name: "getFilm", schema: Film },
);

function isRefreshed(controller: Controller, { page, clock }: ManagerStage): boolean {
  const { store } = controller;
  controller.setResponse(getFilm, "1", { id: "1", title: "Alien" });
  clock.tick(60_000);
  const view = store.response(getFilm, ["1"], getFilm.key("1"));
  const stop = watch(store, view, () => {});
  const before = view.read(store.graph).mark;
  page.focus();
  const isMarked = view.read(store.graph).mark > before;
  stop();
  return isMarked;
}

managerContract({ name: "FocusManager", make: () => new FocusManager(), works: isRefreshed });

/** An answer, then a 401 of the same read. */
async function isLoggedOut(controller: Controller): Promise<boolean> {
  await controller.fetch(getFilm, "1");
  isRefusing = true;
  await controller.fetch(getFilm, "1").catch(() => {});
  isRefusing = false;
  return controller.get(Film, "1") === undefined;
}

managerContract({
  name: "LogoutManager",
  make: () => new LogoutManager(),
  makeBroken: () => new LogoutManager({ onLogout: throws }),
  works: isLoggedOut,
});

let lines = 0;

managerContract({
  name: "LogManager",
  make: () => new LogManager({ log: () => lines++ }),
  makeBroken: () => new LogManager({ log: throws }),
  works: (controller) => {
    const before = lines;
    controller.set(Film, { id: "1" }, { title: "Alien" });
    return lines > before;
  },
});

const connections = new Set<StreamListener>();
const source: StreamSource = (listener) => {
  connections.add(listener);
  return { close: () => void connections.delete(listener) };
};
let released = 0;

managerContract({
  name: "StreamManager",
  make: () => new StreamManager({ source, messages: { film: Film } }),
  makeBroken: () =>
    new StreamManager({ source, onOpen: throws, onError: throws, onMessage: throws, messages: { film: throws } }),
  works: (controller) => {
    const title = `Alien ${++released}`;
    for (const connection of connections) {
      connection.open();
      connection.message({ type: "film", data: { id: "1", title } });
      connection.message({ type: "other", data: {} });
    }
    return controller.get(Film, "1")?.title === title;
  },
  rest: () => connections.size,
});

/** A manager on a page with the extension; what it connects to is looked at by name. */
const devTools = new FakeReduxDevTools();

const DEV_TOOLS = {
  name: "DevToolsManager",
  make: () => new DevToolsManager(),
  makeBroken: () => new DevToolsManager({ filter: throws }),
  works: (controller: Controller) => {
    const sent = () => devTools.tabs.reduce((sum, { actions }) => sum + actions.length, 0);
    for (const tab of devTools.tabs) tab.start();
    const before = sent();
    controller.set(Film, { id: "1" }, { title: "Alien" });
    return sent() > before;
  },
  rest: () => devTools.tabs.reduce((sum, { listeners }) => sum + listeners, 0),
};
managerContract(DEV_TOOLS);

/** All of them as one. */
function together(managers: readonly Manager[]): Manager {
  return {
    middleware: (controller) => (next) =>
      managers.reduceRight((after, { middleware }) => middleware?.(controller)(after) ?? after, next),
    init: (controller) => {
      for (const manager of managers) manager.init?.(controller);
    },
    cleanup: (controller) => {
      for (const manager of managers) manager.cleanup?.(controller);
    },
  };
}

managerContract({
  name: "defaultManagers()",
  make: () => together(defaultManagers()),
  works: async (controller, stage) => {
    const seen = [DEV_TOOLS.works(controller), isRefreshed(controller, stage), await isPolled(controller, stage)];
    await flush();
    if (new Set(seen).size > 1) throw new Error(`some work, some do not: ${seen}`);
    return seen[0]!;
  },
  rest: DEV_TOOLS.rest,
});
