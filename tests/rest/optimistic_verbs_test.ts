import { assertEquals } from "@std/assert";
import { Controller, Entity, isTemporary, resource, RestEndpoint, type RestGenerics } from "@rejoin/data";

class Task extends Entity {
  id = "";
  title = "";
  done = false;
  static key = "Task";
}

/** A list of two open tasks, and a server that answers when the test tells it to. */
function open() {
  const held: ((reply: Response | Promise<Response>) => void)[] = [];
  class HeldEndpoint<O extends RestGenerics> extends RestEndpoint<O> {
    override urlPrefix = "https://api.example.com";
    override fetchResponse(): Promise<Response> {
      return new Promise((answer) => held.push(answer));
    }
  }
  const Tasks = resource({ Endpoint: HeldEndpoint, path: "/tasks/:id", schema: Task, optimistic: true });
  const controller = new Controller();
  controller.setResponse(Tasks.getList, { done: false }, [
    { id: "1", title: "Write", done: false },
    { id: "2", title: "Read", done: false },
  ]);
  const tasks = () => controller.getResponse(Tasks.getList, { done: false }).data ?? [];
  const titles = () => tasks().map(({ title }) => title);
  return { Tasks, controller, held, titles, tasks };
}

async function sent(held: readonly unknown[]): Promise<void> {
  while (!held.length) await new Promise((go) => setTimeout(go));
}

Deno.test("with `optimistic: true` push and unshift add at once, and the reply gives the item its pk", async () => {
  for (const verb of ["push", "unshift"] as const) {
    const { Tasks, controller, held, titles, tasks } = open();
    const call = controller.fetch(Tasks.getList[verb], { title: "Call", done: false });
    const shown = verb === "push" ? ["Write", "Read", "Call"] : ["Call", "Write", "Read"];
    assertEquals(titles(), shown);
    const at = shown.indexOf("Call");
    assertEquals(isTemporary(tasks()[at]!), true);
    await sent(held);
    held[0]!(Response.json({ id: "3", title: "Call", done: false }));
    await call;
    assertEquals([titles(), tasks()[at]!.id], [shown, "3"]);
  }
});

Deno.test("with `optimistic: true` move and remove take an item out at once, and a refusal puts it back", async () => {
  for (const verb of ["move", "remove"] as const) {
    const { Tasks, controller, held, titles } = open();
    const call = verb === "move"
      ? controller.fetch(Tasks.getList.move, { id: "1" }, { done: true })
      : controller.fetch(Tasks.getList.remove, { done: false }, { id: "1" });
    assertEquals(titles(), ["Read"], verb);
    await sent(held);
    held[0]!(Promise.reject(new Error("refused")));
    await call.catch(() => {});
    assertEquals(titles(), ["Write", "Read"], verb);
  }
});
