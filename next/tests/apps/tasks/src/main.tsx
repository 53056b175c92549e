import { LogoutManager } from "@rejoin/data";
import { DataProvider } from "@rejoin/data/preact";
import { render } from "preact";
import { App } from "./app.tsx";
import { session } from "./session.ts";

const logout = new LogoutManager({
  onLogout: (controller) => {
    session.value = null;
    controller.resetEntireStore();
  },
});

render(
  <DataProvider use={[logout]}>
    <App />
  </DataProvider>,
  document.body,
);
