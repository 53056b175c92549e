import { keyOf } from "@rejoin/data";
import { useDebounce, useDeferredArgs, useInfinite, useMutation, usePrefetch } from "@rejoin/data/preact";
import { useState } from "preact/hooks";
import { explain, type Task, TaskResource } from "./api.ts";
import { NewTask } from "./new_task.tsx";

/** The open or the done ones: search as you type, load more. */
export function TasksPage({ done }: { done: boolean }) {
  const [text, setText] = useState("");
  const [q, isTyping] = useDebounce(text.trim(), 200);
  return (
    <>
      <h1>{done ? "Done" : "Tasks"}</h1>
      {!done && <NewTask />}
      <search aria-busy={isTyping}>
        <form onSubmit={(event) => event.preventDefault()}>
          <input
            type="search"
            name="q"
            aria-label="Search"
            placeholder="Search"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </form>
      </search>
      <TaskList {...(q === "" ? { done } : { done, q })} />
    </>
  );
}

/** A list of tasks, page by page. */
export function TaskList(search: { done?: boolean; q?: string; person?: string }) {
  const [args, isSearching] = useDeferredArgs(TaskResource.getList, search);
  const { pages, items, loading, error, hasNext, isFetchingNext, next } = useInfinite(TaskResource.getList, args, {
    next: (page) => page.next && { cursor: page.next },
  });
  // Here, because a row that is ticked goes, and `move` shows that before the server has answered.
  const { mutate: move, error: refusal } = useMutation(TaskResource.getList.move);
  const tick = ({ id, done }: Task) => move({ id }, { done: !done });
  if (loading) return <p>Loading …</p>;
  if (error) return <p role="alert">{explain(error)}</p>;
  return (
    <section aria-busy={isSearching}>
      <p>{pages[0]?.total ? `${pages[0].total} in all.` : "None."}</p>
      {refusal && <p role="alert">{explain(refusal)}</p>}
      <ul>{items.map((task) => <TaskRow key={keyOf(task)} task={task} tick={tick} />)}</ul>
      {hasNext && (
        <button type="button" disabled={isFetchingNext} onClick={next}>
          {isFetchingNext ? "Loading …" : "More"}
        </button>
      )}
    </section>
  );
}

function TaskRow({ task, tick }: { task: Task; tick: (task: Task) => void }) {
  const prefetch = usePrefetch();
  const load = () => prefetch(TaskResource.get, { id: task.id });
  return (
    <li class="row">
      <input
        type="checkbox"
        aria-label={`Done: ${task.title}`}
        checked={task.done}
        onChange={() => tick(task)}
      />
      <a href={`#/tasks/${task.id}`} onMouseEnter={load} onFocus={load}>{task.title}</a>
      {task.person && <a href={`#/people/${task.person.id}`}>{task.person.name}</a>}
    </li>
  );
}
