/** What follows a mutation, without a promise that somebody awaits. */
import "../support/dom.ts";
import { assertEquals } from "@std/assert";
import { Endpoint, resource } from "@rejoin/data";
import { type MutationOptions, useMutation } from "@rejoin/data/preact";
import { fixtures, renderDataHook } from "@rejoin/data/testing";
import { uncaught } from "../support/uncaught.ts";
import { Film } from "./_cinema.tsx";

const { create } = resource({ urlPrefix: "https://api.example.com", path: "/films/:id", schema: Film });

/** Films are made, unless the server refuses, and `said` is what followed. */
function start(options?: MutationOptions<typeof create>) {
  const said: string[] = [];
  let count = 0;
  const api = fixtures([{
    endpoint: create,
    response: (...args) => {
      const { title } = args.at(-1) as { title: string };
      if (title === "") throw new RangeError("no title");
      return { id: String(++count), title };
    },
  }]);
  const given = options ?? {
    onSuccess: ({ id }, args) => said.push(`made ${id} ${JSON.stringify(args)}`),
    onError: ({ name }, args) => said.push(`${name} ${JSON.stringify(args)}`),
  };
  const hook = renderDataHook((now: MutationOptions<typeof create>) => {
    const mutation = useMutation(create, now);
    return { mutation, isPending: mutation.isPending };
  }, { fixtures: api, initialProps: given });
  return { said, hook, mutation: hook.result.current!.mutation };
}

Deno.test("15. useMutation goes on by onSuccess and onError, of each call, with its arguments, and reports nothing then", async () => {
  const { said, hook, mutation } = start();
  await using _ = hook;
  const errors = await uncaught(async () => {
    mutation.mutate({ title: "Alien" });
    mutation.mutate({ title: "" });
    mutation.mutate({ title: "Brazil" });
    await hook.settled();
  });
  assertEquals([errors, said.sort()], [[], [
    'RangeError [{"title":""}]',
    'made 1 [{"title":"Alien"}]',
    'made 2 [{"title":"Brazil"}]',
  ]]);
  assertEquals([mutation.isPending, mutation.data?.title], [false, "Brazil"]);
});

Deno.test("15. useMutation has shown how a call ended before it goes on, and calls what the last rendering gave", async () => {
  const seen: unknown[] = [];
  const { hook, mutation } = start({ onSuccess: () => seen.push("first") });
  await using _ = hook;
  mutation.mutate({ title: "Alien" });
  hook.rerender({ onSuccess: ({ title }) => seen.push([title, mutation.isPending, mutation.data?.title]) });
  await hook.settled();
  assertEquals(seen, [["Alien", false, "Alien"]]);
});

Deno.test("15. useMutation goes on for nobody who has left, or has forgotten by reset; an error is reported then", async () => {
  const { said, hook, mutation } = start();
  const errors = await uncaught(async () => {
    mutation.mutate({ title: "Alien" });
    mutation.mutate({ title: "" });
    mutation.reset();
    await hook.settled();
  });
  assertEquals([said, errors.map((error) => (error as Error).message)], [[], ["no title"]]);
  const gone = start();
  const parts = gone.hook.controller.store.parts.length;
  const more = await uncaught(async () => {
    gone.mutation.mutate({ title: "Alien" });
    gone.mutation.mutate({ title: "" });
    await gone.hook.settled({ timeout: 0 }).catch(() => {});
    gone.said.length = 0;
    gone.mutation.mutate({ title: "Alien" });
    gone.hook.unmount();
    gone.mutation.mutate({ title: "Brazil" });
    await hook.settled();
  });
  assertEquals([gone.said, more], [[], []]);
  assertEquals(gone.hook.controller.store.parts.length <= parts, true);
  hook.unmount();
});

Deno.test("15. what onSuccess and onError throw is reported, and changes nothing of the call", async () => {
  for (const [title, later] of [["Alien", false], ["", false], ["Alien", true]] as const) {
    const fail = () => {
      if (later) return Promise.reject(new Error("later"));
      throw new Error("at once");
    };
    const { hook, mutation } = start({ onSuccess: fail, onError: fail });
    await using _ = hook;
    const outcomes: unknown[] = [];
    const errors = await uncaught(async () => {
      mutation.mutateAsync({ title }).then(
        (film) => outcomes.push(film.title),
        (error) => outcomes.push(error.message),
      );
      await hook.settled();
    });
    assertEquals(errors.map((error) => (error as Error).message), [later ? "later" : "at once"]);
    assertEquals([outcomes, mutation.isPending], [[title || "no title"], false]);
  }
});

Deno.test("15. an abort and a reset of the store are neither a success nor an error, and what was shown is forgotten", async () => {
  const { said, hook, mutation } = start();
  await using _ = hook;
  mutation.mutate({ title: "Alien" });
  await hook.settled();
  assertEquals([said.length, mutation.data?.title], [1, "Alien"]);
  const before = hook.result.renders;
  hook.controller.resetEntireStore();
  await hook.settled();
  // What another person has made is nothing to the next one.
  assertEquals([mutation.data, hook.result.renders], [undefined, before]);
  const errors = await uncaught(async () => {
    mutation.mutate({ title: "Brazil" });
    hook.controller.resetEntireStore();
    mutation.mutate({ title: "Clue" });
    hook.controller.abort(create, { title: "Clue" });
    await hook.settled();
  });
  assertEquals([said.length, errors, mutation.isPending], [1, [], false]);
});

Deno.test("15. useMutation shows data only until the store is reset, on the page, too", async () => {
  const hello = new Endpoint(async (name: string) => await Promise.resolve(`Hello ${name}`), {
    name: "hello",
    sideEffect: true,
  });
  await using hook = renderDataHook(() => {
    const { mutate, data } = useMutation(hello);
    return { mutate, data };
  });
  hook.result.current!.mutate("Ada");
  await hook.settled();
  assertEquals(hook.result.current!.data, "Hello Ada");
  hook.controller.resetEntireStore();
  await hook.settled();
  assertEquals(hook.result.history.map(({ data }) => data), [undefined, "Hello Ada", undefined]);
});
