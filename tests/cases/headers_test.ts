/** Case 15: HTTP headers are parsed by their grammar. */
import { assert } from "@std/assert";
import { cacheControl, Controller, RestEndpoint } from "@rejoin/data";

Deno.test("case 15: max-age within the quotes of another directive says nothing; Retry-After has fractions", async () => {
  const waits: number[] = [], { setTimeout } = globalThis;
  const before = Object.getOwnPropertyDescriptor(globalThis, "setTimeout")!;
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    if (!waits.includes(200)) return new Response(null, { status: 503, headers: { "retry-after": "0.2" } });
    return Response.json(1, { headers: { "cache-control": 'no-cache="x, max-age=3600", max-age=5' } });
  });
  const get = new RestEndpoint({ urlPrefix: `http://127.0.0.1:${server.addr.port}`, path: "/", use: [cacheControl()] });
  const controller = new Controller();
  globalThis.setTimeout = ((run: () => void, ms: number) => setTimeout(run, waits.push(ms) && ms)) as typeof setTimeout;
  await controller.fetch(get).finally(() => Object.defineProperty(globalThis, "setTimeout", before));
  assert(waits.includes(200), `${waits}`);
  const left = controller.getResponse(get).expiresAt - Date.now();
  assert(left > 0 && left <= 5_100, `${left}`);
});
