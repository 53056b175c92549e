/** Responses with a page and its script, for tests in a browser. */
export const scriptOf = (code: string): Response =>
  new Response(code, { headers: { "content-type": "text/javascript; charset=utf-8" } });
/** A page without a favicon, which a browser would ask for. */
export const pageWith = (script: string): Response =>
  new Response(`<!DOCTYPE html><link rel="icon" href="data:,"><body><script type="module" src="${script}"></script>`, {
    headers: { "content-type": "text/html; charset=utf-8" },
  });
