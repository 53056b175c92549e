/** An answer that is not what was asked for, and says why. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** What is wrong with which member of the body. */
    readonly fields?: Record<string, string>,
    readonly headers?: Record<string, string>,
  ) {
    super(message);
  }
}

/** The answer that it is. */
export function refused({ status, message, fields, headers }: Refusal): Response {
  return json(fields ? { message, fields } : { message }, status, headers);
}

/** What is not there. */
export function missing(what: string, id: string | number): Refusal {
  return new Refusal(404, `There is no ${what} ${id}`);
}

/** An answer in JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const own = { "content-type": "application/json; charset=utf-8", "cache-control": "no-cache" };
  return new Response(JSON.stringify(body), { status, headers: { ...own, ...headers } });
}
