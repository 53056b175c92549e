/** Case 15: HTTP headers are parsed by their grammar. */
import { assert, assertEquals } from "@std/assert";
import { cacheControl, Controller, RestEndpoint } from "@rejoin/data";

Deno.test("case 15: max-age within the quotes of another directive says nothing; Retry-After has fractions", async () => {
  const times: number[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    times.push(performance.now());
    if (times.length === 1) return new Response(null, { status: 503, headers: { "retry-after": "0.2" } });
    return Response.json(1, { headers: { "cache-control": 'no-cache="x, max-age=3600", max-age=5' } });
  });
  const get = new RestEndpoint({ urlPrefix: `http://127.0.0.1:${server.addr.port}`, path: "/", use: [cacheControl()] });
  const controller = new Controller();
  await controller.fetch(get);
  const [first, second] = times as [number, number], wait = second - first;
  assert(wait > 180 && wait < 1_000, `${wait}`);
  assertEquals(Math.round((controller.getResponse(get).expiresAt - Date.now()) / 1000), 5);
});
