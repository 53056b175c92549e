/**
 * Firefox and WebKit, as far as a smoke test needs them: a page is opened, and functions run in it. Each is driven by
 * what its own makers ship, because playwright's builds of them come from no package.
 *
 * @module
 */
import { installFromDebian, resolve } from "./browser.ts";

/** A browser with an empty profile and one page; `await using` closes it. */
export interface Engine extends AsyncDisposable {
  /** `Firefox 153.7.0`. */
  readonly version: string;
  /** Opens an address, and comes back when it is loaded. */
  open(url: string): Promise<void>;
  /**
   * Runs a function in the page, and waits for what it promises.
   *
   * @param fn It sees its arguments and the page, nothing else; they and what it gives are JSON.
   */
  run<A extends readonly unknown[], R>(fn: (...args: A) => R | Promise<R>, ...args: A): Promise<R>;
}

/** How each is started; as root on Debian it is installed where it is missing. */
export const ENGINES: { readonly [name: string]: () => Promise<Engine> } = { Firefox: firefox, WebKit: webKit };

/** Firefox listens to WebDriver BiDi by itself. */
async function firefox(): Promise<Engine> {
  await using starting = new AsyncDisposableStack();
  const program = await find("firefox-esr", ["firefox", "/Applications/Firefox.app/Contents/MacOS/firefox"]);
  const home = await folder(starting);
  const args = ["--headless", "--no-remote", "--profile", home, "--remote-debugging-port", "0"];
  const { stderr } = spawn(starting, program, { args, env: { HOME: home }, stderr: "piped" });
  const address = await said(stderr, /ws:\/\/[\d.:]+/);

  const socket = new WebSocket(`${address}/session`);
  await next(socket, "open");
  // deno-lint-ignore no-explicit-any -- each command answers something else
  const send = async (method: string, params: object): Promise<any> => {
    socket.send(JSON.stringify({ id: 1, method, params }));
    // One at a time, and no event is subscribed to: what comes is the answer.
    const { result, message } = JSON.parse((await next(socket, "message") as MessageEvent<string>).data);
    if (message) throw new Error(`${method}: ${message}`);
    return result;
  };
  const { capabilities } = await send("session.new", { capabilities: {} });
  const { contexts: [{ context }] } = await send("browsingContext.getTree", {});
  starting.defer(() => send("browser.close", {}));

  const started = starting.move();
  return {
    version: `Firefox ${capabilities.browserVersion}`,
    async open(url) {
      await send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    async run(fn, ...args) {
      const { result, exceptionDetails } = await send("script.callFunction", {
        functionDeclaration: `async (args) => JSON.stringify(await (${fn})(...JSON.parse(args)))`,
        arguments: [{ type: "string", value: JSON.stringify(args) }],
        target: { context },
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return result.value && JSON.parse(result.value);
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** WebKit as GTK has it: it wants a screen, and its driver speaks WebDriver. */
async function webKit(): Promise<Engine> {
  await using starting = new AsyncDisposableStack();
  const xvfb = await find("Xvfb", [], "xvfb");
  const program = await find("WebKitWebDriver", [], "webkit2gtk-driver");
  const { stdout } = spawn(starting, xvfb, { args: ["-displayfd", "1", "-nolisten", "tcp"], stdout: "piped" });
  const screen = await said(stdout, /\d+(?=\n)/);
  const port = freePort();
  const env = { DISPLAY: `:${screen}`, GDK_BACKEND: "x11", HOME: await folder(starting) };
  spawn(starting, program, { args: [`--port=${port}`], env });

  // deno-lint-ignore no-explicit-any -- each command answers something else
  const send = async (method: string, path: string, body?: object): Promise<any> => {
    const response = await fetch(
      `http://127.0.0.1:${port}/${path}`,
      body ? { method, body: JSON.stringify(body) } : { method },
    );
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${path}: ${value.message}`);
    return value;
  };
  // It does not say when it listens.
  while (!await send("GET", "status").catch(() => undefined));
  // A script waits for as long as it has to.
  const wanted = { capabilities: { alwaysMatch: { timeouts: { script: null } } } };
  const { sessionId, capabilities } = await send("POST", "session", wanted);
  const session = `session/${sessionId}`;
  starting.defer(() => send("DELETE", session));

  const started = starting.move();
  return {
    version: `WebKitGTK ${capabilities.browserVersion}`,
    async open(url) {
      await send("POST", `${session}/url`, { url });
    },
    async run(fn, ...args) {
      const script = `const [args, done] = arguments;
        new Promise((resolve) => resolve((${fn})(...args)))
          .then((value) => done({ value }), (error) => done({ error: String(error) }));`;
      const { value, error } = await send("POST", `${session}/execute/async`, { script, args: [args] });
      if (error) throw new Error(error);
      return value;
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** A program by one of its names, which Debian's package has under the first one. */
async function find(name: string, others: readonly string[], debian = name): Promise<string> {
  for (const program of [name, ...others]) {
    const path = await resolve(program).catch(() => undefined);
    if (path !== undefined) return path;
  }
  await installFromDebian(debian);
  return await resolve(name);
}

/** A folder that goes with the browser. */
async function folder(stack: AsyncDisposableStack): Promise<string> {
  const path = await Deno.makeTempDir({ prefix: "rejoin-" });
  stack.defer(() => Deno.remove(path, { recursive: true }));
  return path;
}

/** A process that goes with the browser. */
function spawn(stack: AsyncDisposableStack, program: string, options: Deno.CommandOptions): Deno.ChildProcess {
  const child = new Deno.Command(program, { stdout: "null", stderr: "null", ...options }).spawn();
  stack.defer(async () => {
    try {
      child.kill();
    } catch {
      // It has gone by itself.
    }
    await child.status;
  });
  return child;
}

/** Waits until a program says something. It is read to its end: one whose pipe is full stands still. */
async function said(stream: ReadableStream<Uint8Array>, what: RegExp): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const decoder = new TextDecoder();
  let text = "";
  const write = (chunk: Uint8Array) => {
    text += decoder.decode(chunk, { stream: true });
    const [match] = what.exec(text) ?? [];
    if (match !== undefined) resolve(match);
  };
  stream.pipeTo(new WritableStream({ write })).then(() => reject(new Error(`It has ended: ${text}`)), reject);
  return await promise;
}

function next(socket: WebSocket, type: "open" | "message"): Promise<Event> {
  return new Promise((resolve, reject) => {
    socket.addEventListener(type, resolve, { once: true });
    socket.addEventListener("close", () => reject(new Error("The browser has gone.")), { once: true });
  });
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
