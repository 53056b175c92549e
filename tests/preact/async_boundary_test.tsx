import { mount, mounted, rendered, settled } from "../support/dom.ts";
import { assert, assertEquals } from "@std/assert";
import { signal } from "@preact/signals-core";
import { type ComponentChildren, Fragment, hydrate, render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Controller } from "@rejoin/data";
import { AsyncBoundary, useSuspense } from "@rejoin/data/preact";
import { App, fill, inApp, press, Server } from "./_cinema.tsx";

Deno.test("AsyncBoundary shows its fallback alone until all of its content is there", async () => {
  const server = new Server(), { Title } = server;
  await using app = mount(
    <App>
      a text
      <b>bold</b>
      <Title id="1" />
      <i>
        <Title id="2" />
      </i>
      <Title id="3" />
    </App>,
  );
  await rendered();
  assertEquals(app.text, "…");
  for (const at of [2, 0]) {
    server.asked[at]!.answer({ id: `${at + 1}`, title: `Film ${at + 1}` });
    await app.shows("…");
  }
  server.asked[1]!.answer({ id: "2", title: "Film 2" });
  await app.shows("a textboldFilm 1Film 2Film 3");
  assertEquals(app.host.querySelectorAll("[style]:not([style=''])").length, 0);
});

Deno.test("AsyncBoundary keeps elements, their styles and the state of hooks when its content is hidden", async () => {
  const server = new Server(), { Title } = server;
  const mounts: string[] = [];
  function Counter() {
    const [count, setCount] = useState(0);
    useEffect(() => {
      mounts.push("mount");
      return () => mounts.push("unmount");
    }, []);
    return (
      <button type="button" style={{ display: "flex", color: "red" }} onClick={() => setCount(count + 1)}>
        {count}
      </button>
    );
  }
  const page = (id: string | undefined) => (
    <App>
      <Counter />
      {id !== undefined && <Title id={id} />}
    </App>
  );
  await using app = await mounted(page(undefined));
  const button = app.find("button");
  press(button);
  await settled();
  app.render(page("1"));
  await rendered();
  assertEquals(app.text, "…");
  assertEquals(button.style.getPropertyPriority("display"), "important");
  press(button);
  await settled();
  server.last.answer({ id: "1", title: "Alien" });
  assertEquals([await app.settledText(), mounts], ["2Alien", ["mount"]]);
  assert(app.find("button") === button);
  assertEquals([button.style.display, button.style.color], ["flex", "red"]);
  assertEquals(button.style.getPropertyPriority("display"), "");
});

Deno.test("AsyncBoundary hides what its content adds, or styles, while it waits", async () => {
  const server = new Server(), { Title } = server;
  const more = signal(1);
  const Rows = () => (
    <>
      {Array.from(
        { length: more.value },
        (_, row) => <li key={row} style={{ display: row % 2 ? "block" : "flex" }}>row</li>,
      )}
      {more.value > 1 && "text"}
    </>
  );
  await using app = await mounted(
    <App>
      <Rows />
      <Title id="1" />
    </App>,
  );
  more.value = 3;
  await rendered();
  assertEquals(app.text, "…");
  server.answerFilms();
  await app.shows("rowrowrowtextFilm 1");
  assertEquals([...app.host.querySelectorAll("li")].map(({ style }) => style.display), ["flex", "block", "flex"]);
});

Deno.test("AsyncBoundary hides what stands first in its content, also what a component puts there by itself while it waits", async () => {
  const server = new Server(), { Title } = server;
  const first = signal<ComponentChildren>(null);
  const First = () => <>{first.value}</>;
  await using app = await mounted(
    <App>
      <First />
      <Title id="1" />
    </App>,
  );
  for (const now of ["a text", <b key="b">bold</b>, <i key="i">italic</i>, null, "another text"]) {
    first.value = now;
    await rendered();
    assertEquals(app.text, "…");
  }
  server.answerFilms();
  await app.shows("another textFilm 1");
});

Deno.test("AsyncBoundary shows its content as it was rendered last, also an empty text, and what it does not display", async () => {
  const server = new Server();
  using controller = new Controller();
  function Title({ id }: { readonly id: string }) {
    const { title } = useSuspense(server.getFilm, { id });
    return (
      <>
        {title}
        <i style={{ display: title === "" ? "none" : "inline" }}>title</i>
        <i style={{ display: title === "" ? "inline" : "none" }}>none</i>
      </>
    );
  }
  // A signal as text changes without a render.
  const label = signal("0: ");
  await using app = mount(
    <App controller={controller}>
      {label}
      <Title id="1" />
    </App>,
  );
  for (const title of ["Alien", "", "Brazil"]) {
    controller.invalidate(server.getFilm, { id: "1" });
    await app.shows("…");
    for (const { answer } of server.asked) answer({ id: "1", title });
    await settled();
    server.last.answer({ id: "1", title });
    await app.shows(label.value + (title === "" ? "none" : `${title}title`));
    label.value = `${title.length}: `;
    await settled();
  }
});

Deno.test("AsyncBoundary gives the focus back when what had it was hidden", async () => {
  const server = new Server(), { Title } = server;
  const page = (id: string | undefined) => (
    <App>
      <form>
        <input />
      </form>
      {id !== undefined && <Title id={id} />}
    </App>
  );
  await using app = mount(page(undefined));
  const input = app.find<HTMLInputElement>("input");
  input.focus();
  app.render(page("1"));
  await rendered();
  // A browser blurs an element that is hidden.
  input.blur();
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assert(document.activeElement === input);
});

Deno.test("AsyncBoundary leaves the focus alone when it went elsewhere meanwhile", async () => {
  const server = new Server(), { Title } = server;
  const page = (id: string | undefined) => (
    <>
      <App>
        <input class="inside" />
        {id !== undefined && <Title id={id} />}
      </App>
      <input class="outside" />
    </>
  );
  await using app = mount(page(undefined));
  app.find(".inside").focus();
  app.render(page("1"));
  await rendered();
  app.find(".outside").focus();
  server.last.answer({ id: "1", title: "Alien" });
  await settled();
  assert(document.activeElement === app.find(".outside"));
});

Deno.test("AsyncBoundary waits no more when what waited is taken away, though the request goes on", async () => {
  const server = new Server(), { Title } = server;
  using controller = new Controller();
  controller.fetch(server.getFilm, { id: "1" });
  const page = (isOpen: boolean) => (
    <App controller={controller}>
      <b>list</b>
      {isOpen && <Title id="1" />}
    </App>
  );
  await using app = mount(page(true));
  await app.shows("…");
  app.render(page(false));
  assertEquals([await app.settledText(), server.last.isAborted], ["list", false]);
});

Deno.test("AsyncBoundary shows what waits as soon as the store has it, whoever brought it", async () => {
  const server = new Server(), { Title } = server;
  using controller = new Controller();
  await using app = await mounted(inApp(<Title id="1" />, controller));
  fill(controller, { id: "1", title: "Alien" });
  await app.shows("Alien");
});

Deno.test("AsyncBoundary leaves waiting to the nearest one when it has others inside", async () => {
  const server = new Server(), { Title } = server;
  await using app = mount(
    <App>
      <b>list</b>
      <AsyncBoundary fallback="inner …">
        <Title id="1" />
      </AsyncBoundary>
      <AsyncBoundary fallback="other …">
        <Title id="2" />
      </AsyncBoundary>
    </App>,
  );
  await app.shows("listinner …other …");
  server.asked[1]!.answer({ id: "2", title: "Brazil" });
  await app.shows("listinner …Brazil");
  server.asked[0]!.answer({ id: "1", title: "Alien" });
  await app.shows("listAlienBrazil");
});

for (const [name, order] of [["inner", ["in", "out"]], ["outer", ["out", "in"]]] as const) {
  for (const shown of [["in", "out"], ["out", "in"]] as const) {
    Deno.test(`AsyncBoundary in AsyncBoundary hides what either waits with when the ${name} one waits first, and the ${shown[0]} one ends first`, async () => {
      const server = new Server(), { Title } = server;
      const open = { in: signal(false), out: signal(false) };
      const ids = { in: "1", out: "2" };
      const Inner = () => <>{open.in.value ? <Title id={ids.in} /> : null}</>;
      const Outer = () => <>{open.out.value ? <Title id={ids.out} /> : null}</>;
      await using app = await mounted(
        <App>
          <AsyncBoundary fallback="inner …">
            text
            <b style={{ display: "grid" }}>bold</b>
            <Inner />
          </AsyncBoundary>
          <Outer />
        </App>,
      );
      for (const which of order) {
        open[which].value = true;
        await settled();
      }
      assertEquals(app.text, "…");
      for (const which of shown) {
        server.asked.find(({ args }) => (args[0] as { id: string }).id === ids[which])!.answer({
          id: ids[which],
          title: which,
        });
        await settled();
        if (which === shown[0]) assertEquals(app.text, which === "in" ? "…" : "inner …out");
      }
      assertEquals(app.text, "textboldinout");
      assertEquals(app.find("b").style.display, "grid");
    });
  }
}

Deno.test("AsyncBoundary waits for any promise, and renders what threw it again", async () => {
  let isReady = false;
  const wait = Promise.withResolvers<void>();
  function Lazy() {
    if (!isReady) throw wait.promise;
    return <p>ready</p>;
  }
  await using app = mount(inApp(<Lazy />));
  await app.shows("…");
  isReady = true;
  wait.resolve();
  await app.shows("ready");
});

Deno.test("AsyncBoundary shows an error that has nothing to do with data, and its content again when it is told to", async () => {
  let isBroken = true;
  function Page() {
    if (isBroken) throw new RangeError("a bug");
    return <p>fine</p>;
  }
  await using app = mount(inApp(<Page />));
  await app.shows("RangeError: a bug");
  isBroken = false;
  press(app.find("button"));
  await app.shows("fine");
});

Deno.test("AsyncBoundary makes an error of what is thrown when it is none", async () => {
  let seen: Error | undefined;
  function Page(): never {
    throw { code: 5 };
  }
  await using app = mount(
    <AsyncBoundary errorComponent={({ error }) => <p>{(seen = error).message}</p>}>
      <Page />
    </AsyncBoundary>,
  );
  await app.shows("[object Object]");
  assertEquals(seen?.cause, { code: 5 });
});

Deno.test("AsyncBoundary passes an error of its own error component, and of its fallback, to the one above", async () => {
  const server = new Server(), { Title } = server;
  function Broken(): never {
    throw new Error("broken");
  }
  for (const content of [<Title key="1" id="1" />, <Broken key="2" />]) {
    await using app = mount(
      <App>
        <AsyncBoundary fallback={<Broken />} errorComponent={Broken}>{content}</AsyncBoundary>
      </App>,
    );
    await app.shows("Error: broken");
  }
});

Deno.test("AsyncBoundary runs no effect of a component before it is mounted", async () => {
  const server = new Server();
  const seen: string[] = [];
  function Page() {
    const paragraph = useRef<HTMLParagraphElement>(null);
    useEffect(() => {
      seen.push(paragraph.current!.textContent);
      return () => seen.push("gone");
    }, []);
    const { title } = useSuspense(server.getFilm, { id: "1" });
    return <p ref={paragraph}>{title}</p>;
  }
  const app = await mounted(inApp(<Page />));
  assertEquals(seen, []);
  server.answerFilms();
  await settled();
  assertEquals(seen, ["Film 1"]);
  app.unmount();
  await settled();
  assertEquals(seen, ["Film 1", "gone"]);
});

Deno.test("AsyncBoundary is not kept busy by a component that sets its state while it renders and waits", async () => {
  const server = new Server();
  using controller = new Controller();
  let runs = 0;
  function Page({ id }: { readonly id: string }) {
    const [shown, setShown] = useState("");
    if (++runs > 50) throw new Error("without end");
    if (shown !== id) setShown(id);
    return <p>{`${useSuspense(server.getFilm, { id }).title} of ${shown}`}</p>;
  }
  const page = (id: string) => inApp(<Page id={id} />, controller);
  await using app = mount(page("1"));
  for (const id of ["1", "2"]) {
    app.render(page(id));
    await app.shows("…");
    server.last.answer({ id, title: "Film" });
    await app.shows(`Film of ${id}`);
  }
  assertEquals(server.asked.length, 2);
});

Deno.test("AsyncBoundary keeps state and effects of a mounted component that waits, even of one that rendered nothing", async () => {
  const server = new Server();
  const seen: string[] = [];
  let raise = () => {};
  function Page({ id }: { readonly id: string }) {
    const [count, setCount] = useState(0);
    raise = () => setCount((now) => now + 1);
    useEffect(() => {
      seen.push("mount");
      return () => seen.push("unmount");
    }, []);
    const { title } = useSuspense(server.getFilm, { id });
    return id === "1" ? ([] as unknown as ReturnType<typeof Fragment>) : <p>{title + count}</p>;
  }
  const page = (id: string) => inApp(<Page id={id} />);
  await using app = await mounted(page("1"));
  server.answerFilms();
  await settled();
  raise();
  await settled();
  app.render(page("2"));
  await app.shows("…");
  raise();
  await settled();
  server.answerFilms();
  assertEquals([await app.settledText(), seen], ["Film 22", ["mount"]]);
});

Deno.test("AsyncBoundary catches what is thrown below a mounted component that waits, too: a promise, and an error", async () => {
  const server = new Server();
  using controller = new Controller();
  const invalidate = (...ids: string[]) => ids.forEach((id) => controller.invalidate(server.getFilm, { id }));
  function Row({ id, children }: { readonly id: string; readonly children?: ComponentChildren }) {
    const { title } = useSuspense(server.getFilm, { id });
    return <p>{title}{children}</p>;
  }
  fill(controller, ...["1", "2", "3"].map((id) => ({ id, title: `Film ${id}` })));
  await using app = await mounted(
    <App controller={controller}>
      <Row id="1">
        <Row id="1" />
        <Row id="2" />
      </Row>
      <Row id="3" />
    </App>,
  );
  const seen = () => [app.text, server.asked.map(({ args: [params] }) => (params as { id: string }).id).join("")];
  // The two components suspend together, or one after another.
  invalidate("1", "3");
  await settled();
  assertEquals(seen(), ["…", "13"]);
  invalidate("2");
  await settled();
  assertEquals(seen(), ["…", "132"]);
  server.answerFilms();
  await settled();
  assertEquals(seen(), ["Film 1Film 1Film 2Film 3", "132"]);

  invalidate("1", "2");
  await settled();
  server.last.fail(new Error("no luck"));
  await app.shows("Error: no luck");
});

Deno.test("AsyncBoundary keeps the order of its content when something new stands behind a mounted component that waits", async () => {
  const server = new Server();
  using controller = new Controller();
  const { Title } = server;
  const more = signal(0);
  fill(controller, { id: "1", title: "Film 1" }, { id: "2", title: "Film 2" });
  function Rows() {
    const count = more.value;
    return (
      <section>
        <Title id="1" />
        {count > 0 && <b>1</b>}
        {count > 1 && "a text"}
        <Fragment>
          <Title id="2" />
        </Fragment>
        {count > 2 && <b>3</b>}
      </section>
    );
  }
  await using app = await mounted(inApp(<Rows />, controller));
  controller.invalidate(server.getFilm, { id: "1" });
  controller.invalidate(server.getFilm, { id: "2" });
  await settled();
  const [first] = app.host.querySelectorAll("p");
  for (const count of [1, 2, 3]) {
    more.value = count;
    await rendered();
    assertEquals(app.text, "…");
  }
  server.answerFilms();
  await app.shows("Film 11a textFilm 23");
  assert(app.host.querySelectorAll("p")[0] === first);
});

Deno.test("AsyncBoundary takes over the fallback that a server has sent, and what follows it stands once", async () => {
  for (const ids of [["1"], ["1", "2"]]) {
    const server = new Server(), { Title } = server, host = document.createElement("div");
    document.body.append(host);
    host.innerHTML = "<main>…<footer>end</footer></main>";
    const children = ids.map((id) => <Title key={id} id={id} />);
    hydrate(
      <main>
        <App>{children}</App>
        <footer>end</footer>
      </main>,
      host,
    );
    await settled();
    assertEquals(host.innerHTML, "<main>…<footer>end</footer></main>");
    server.answerFilms();
    await settled();
    assertEquals(host.textContent, ids.map((id) => `Film ${id}`).join("") + "end");
    render(null, host);
  }
});

Deno.test("AsyncBoundary leaves alone what a page has beside the app in its container", async () => {
  const server = new Server(), { Title } = server, host = document.createElement("div");
  host.innerHTML = "<header>Shop</header><footer>2026</footer>";
  render(
    <App>
      <Title id="1" />
      <Title id="2" />
    </App>,
    host,
  );
  server.answerFilms();
  await settled();
  for (const shown of ["Film 1", "Film 2", "Shop", "2026"]) assert(host.textContent!.includes(shown), host.innerHTML);
  render(null, host);
});

Deno.test("AsyncBoundary keeps what stands beside a hydrated component that waits twice", async () => {
  const server = new Server(), { getFilm } = server, host = document.createElement("div");
  const Twice = () => {
    const { title } = useSuspense(getFilm, { id: "1" });
    return <b>{title + useSuspense(getFilm, { id: "2" }).title}</b>;
  };
  host.innerHTML = "<main></main>";
  hydrate(
    <main>
      <App>
        <Twice />
        <p>beside</p>
      </App>
    </main>,
    host,
  );
  for (let reply = 0; reply < 2; reply++) {
    await settled();
    server.answerFilms();
  }
  await settled();
  assertEquals(host.innerHTML, "<main><b>Film 1Film 2</b><p>beside</p></main>");
  render(null, host);
});

Deno.test("AsyncBoundary moves rows that waited when their order changes", async () => {
  const server = new Server(), { Title } = server;
  await using app = mount(null);
  const show = (...rows: readonly [key: string, id: string][]) =>
    app.render(<App>{rows.map(([key, id]) => <Title key={key} id={id} />)}</App>);
  show(["a", "1"], ["b", "2"]);
  server.answerFilms();
  await app.shows("Film 1Film 2");
  show(["b", "2"], ["a", "1"]);
  await app.shows("Film 2Film 1");
  // Mounted rows that wait for other films.
  show(["b", "3"], ["a", "4"]);
  server.answerFilms();
  await app.shows("Film 3Film 4");
  show(["a", "4"], ["b", "3"]);
  await app.shows("Film 4Film 3");
});

Deno.test("AsyncBoundary shows each of two elements that were made once, though both have waited", async () => {
  const server = new Server(), { Title } = server, tabs = [<Title key="a" id="1" />, <Title key="a" id="2" />];
  await using app = mount(null);
  for (const tab of [0, 1, 0, 1]) {
    app.render(<App>{tabs[tab]}</App>);
    server.answerFilms();
    await app.shows(`Film ${tab + 1}`);
  }
});

Deno.test("AsyncBoundary waits on, and runs effects after it, when what is around what waits renders again", async () => {
  const server = new Server(), { getFilm } = server, id = signal("1"), count = signal(0), ran: string[] = [];
  const Inner = () => {
    useEffect(() => void ran.push(id.value), [id.value]);
    return <b>{useSuspense(getFilm, { id: id.value }).title}</b>;
  };
  const Outer = ({ children }: { children: ComponentChildren }) => <p>{children} {count.value}</p>;
  await using app = mount(
    <App>
      <Outer>
        <Inner />
      </Outer>
    </App>,
  );
  server.answerFilms();
  await app.shows("Film 1 0");
  id.value = "2";
  await app.shows("…");
  count.value = 1;
  await app.shows("…");
  server.answerFilms();
  await app.shows("Film 2 1");
  assertEquals(ran, ["1", "2"]);
});

Deno.test("AsyncBoundary takes the place of a placeholder, and in a root fragment leaves what stands behind it", async () => {
  const server = new Server(), { Title } = server, host = document.createElement("div");
  const titles = [<Title key="1" id="1" />, <Title key="2" id="2" />];
  host.innerHTML = "<main>Loading</main>";
  render(
    <main>
      <App>{titles}</App>
    </main>,
    host,
  );
  server.answerFilms();
  await settled();
  assertEquals(host.textContent, "Film 1Film 2");
  host.innerHTML = "<i>…</i><footer>end</footer>";
  const [placeholder, footer] = host.children;
  const insertBefore = (node: Node, before?: Node) => host.insertBefore(node, before ?? footer!);
  const root = { nodeType: 1, parentNode: host, firstChild: placeholder, childNodes: [placeholder], insertBefore };
  Object.assign(root, { appendChild: insertBefore, contains: (node: Node) => host.contains(node) });
  hydrate(<App>{titles}</App>, root as never); // as createRootFragment makes it
  await settled();
  server.answerFilms();
  await settled();
  assertEquals(host.textContent, "Film 1Film 2end");
});
