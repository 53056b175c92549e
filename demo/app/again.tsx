/** What happened is recorded, and played again, slowly, in a store of its own. */
import { type Controller, record, type RecordedStep, type Recorder, type Replay, replay } from "@rejoin/data";
import { DataProvider, useController, useQuery } from "@rejoin/data/preact";
import { useEffect, useState } from "preact/hooks";
import { titleOf } from "./format.ts";
import { GivenStars } from "./given_stars.tsx";
import * as others from "./later_resources.ts";
import { explain, say } from "./notices.tsx";
import { Poster } from "./poster.tsx";
import { getPosters } from "./queries.ts";
import { DirectorResource, Film, FilmResource, FilmSummary, GenreResource } from "./resources.ts";

/** Between two steps that show something, in ms. */
const PACE = 900;

interface Shown {
  readonly replay: Replay;
  readonly films: readonly number[];
}

/** Records, and plays. */
export function Again() {
  const controller = useController();
  const [recorder, setRecorder] = useState<Recorder>();
  const [shown, setShown] = useState<Shown>();
  // What is recorded is kept: not longer than somebody looks.
  useEffect(() => () => void recorder?.stop(), [recorder]);

  return (
    <div class="again">
      <p>
        {recorder
          ? (
            <button
              type="button"
              class="main"
              onClick={() => {
                setShown(prepare(recorder, controller));
                setRecorder(undefined);
              }}
            >
              Play that again, slowly
            </button>
          )
          : (
            <button
              type="button"
              onClick={() => {
                setShown(undefined);
                setRecorder(record(controller));
              }}
            >
              Record
            </button>
          )}
        <span class={recorder ? "live recording" : "about"} role="status">
          {recorder ? "Records. Turn the server, touch some posters." : "Every request, reply and write, in order."}
        </span>
      </p>
      {shown && (
        <DataProvider controller={shown.replay.controller}>
          <Player {...shown} />
        </DataProvider>
      )}
    </div>
  );
}

function prepare(recorder: Recorder, { get }: Controller): Shown | undefined {
  const recording = recorder.stop();
  const edits = recording.steps.filter(({ type, endpoint }) => type === "fetch" && endpoint === "Film.partialUpdate");
  const films = new Set(edits.map(({ args }) => Number((args?.[0] as { id?: unknown } | undefined)?.id)));
  const known = [...films].filter((id) => get(FilmSummary, { id }) !== undefined);
  if (known.length === 0) {
    say("Nothing was rated while it recorded.");
    return undefined;
  }
  const endpoints = [FilmResource, GenreResource, DirectorResource, getPosters, others];
  return { replay: replay(recording, { endpoints, schemas: [Film] }), films: known };
}

function Player({ replay, films }: Shown) {
  const [said, setSaid] = useState<readonly string[]>([]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const names = new Map<number, string>();
    const go = async (): Promise<void> => {
      // What shows nothing of these films is not waited for.
      for (let step = await replay.next(); step !== undefined; step = await replay.next()) {
        const sentence = sentenceOf(step, names, replay);
        if (sentence === undefined) continue;
        if (isGone) return;
        setSaid((said) => [...said, sentence]);
        timer = setTimeout(() => void go().catch(fail), PACE);
        return;
      }
      if (!isGone) setSaid((said) => [...said, "That was all."]);
    };
    const fail = (error: unknown) => say(`It cannot be played further. ${explain(error)}`, true);
    go().catch(fail);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [replay]);
  return (
    <div class="player">
      <ul class="cards">{films.map((id) => <Card key={id} id={id} />)}</ul>
      <ol aria-live="polite">{said.slice(-6).map((sentence, index) => <li key={index}>{sentence}</li>)}</ol>
    </div>
  );
}

function sentenceOf(
  { type, id = -1, endpoint, args }: RecordedStep,
  names: Map<number, string>,
  { controller }: Replay,
): string | undefined {
  if (type === "fetch" && endpoint === "Film.partialUpdate") {
    const film = controller.get(FilmSummary, { id: Number((args?.[0] as { id?: unknown } | undefined)?.id) });
    names.set(id, film ? titleOf(film) : "A film");
    return `${names.get(id)}: shown, and sent.`;
  }
  const name = names.get(id);
  if (name === undefined) return undefined;
  return type === "reply" ? `${name}: the server has it.` : `${name}: refused, it falls back.`;
}

function Card({ id }: { id: number }) {
  const film = useQuery(FilmSummary, { id });
  if (!film) return null;
  return (
    <li class="card">
      <div>
        <Poster film={film} small />
        <span class="caption">
          <strong>{titleOf(film)}</strong>
          <span class="about">
            <GivenStars film={film} />
          </span>
        </span>
      </div>
    </li>
  );
}
