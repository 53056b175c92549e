import { onAbort } from "../errors/on_abort.ts";
import { NetworkError } from "../errors/network_error.ts";
import type { Watch } from "./deadline.ts";
import { ownMembers, passesUntouched } from "./platform.ts";
import type { RequestLine } from "./read_body.ts";

/** What a guarded stream tells its watch. */
export type StreamWatch = Pick<Watch, "signal" | "waiting" | "hold">;

/**
 * A stream whose every chunk is a sign of life, and that errors when its watch gives up, whatever its source does.
 *
 * It does not read ahead: the source is asked for a chunk when the reader asks, so that silence counts only while
 * somebody waits.
 *
 * @param source The body of a request or an answer. It is locked.
 * @param watch Is told of each chunk, and of the end; it has not given up yet.
 * @param broken Makes the error of the stream from that of its source. Left out, it is the same.
 * @returns The same chunks.
 */
export function guardStream(
  source: ReadableStream<Uint8Array<ArrayBuffer>>,
  watch: StreamWatch,
  broken: (error: unknown) => unknown = (error) => error,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { signal } = watch;
  const reader = source.getReader();
  const ended = watch.hold();
  let forget: () => void;
  const end = (): void => {
    forget();
    ended();
  };
  const underlying: UnderlyingDefaultSource<Uint8Array<ArrayBuffer>> = {
    start(controller) {
      forget = onAbort(signal, () => {
        end();
        controller.error(signal.reason);
        reader.cancel(signal.reason).catch(() => {});
      });
    },
    async pull(controller) {
      const came = watch.waiting();
      try {
        const { done, value } = await reader.read();
        // An abort has errored this stream in the meantime; it takes nothing more.
        if (signal.aborted) return;
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (error) {
        if (signal.aborted) return;
        end();
        controller.error(broken(error));
      } finally {
        came();
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  };
  // Without reading ahead.
  return new ReadableStream(ownMembers(underlying), { highWaterMark: 0, size: () => 1 });
}

/**
 * An answer whose body is guarded, and that is otherwise the same.
 *
 * @param response An answer, its body not read. Without body it is returned as it is.
 * @param watch Is told of each chunk, and of the end.
 * @param request Which request it answers.
 * @returns The guarded answer. Where the connection breaks, its body errors with a NetworkError.
 */
export function guardResponse(response: Response, watch: StreamWatch, request: RequestLine): Response {
  if (!response?.body || response.bodyUsed) return response;
  const { status, statusText, headers, url, redirected, type } = response;
  const broken = (cause: unknown): unknown =>
    passesUntouched(cause) ? cause : new NetworkError({ ...request, headers, response, cause });
  const guarded = new Response(guardStream(response.body, watch, broken), { status, statusText, headers });
  // A response that is made by hand has no address and no type of its own.
  const own = { url: { value: url }, redirected: { value: redirected }, type: { value: type } };
  return Object.defineProperties(guarded, own);
}
