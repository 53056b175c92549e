import { isEnding } from "@rejoin/data";
import { useDebounce, useDeferredArgs, useMutation, useSuspense } from "@rejoin/data/preact";
import { useEffect, useState } from "preact/hooks";
import { closeIssues, count, getUsers, type IssueFilter, IssueResource, messageOf } from "./api.ts";
import { addressOf, filterOf, go, path } from "./router.ts";

export function IssueList() {
  const filter = filterOf(path.value);
  const { users } = useSuspense(getUsers);
  const change = (changes: IssueFilter) => go(addressOf({ ...filter, page: 1, ...changes }), { replace: true });

  const [text, setText] = useState(filter.q ?? "");
  const [q, isTyping] = useDebounce(text, 250);
  useEffect(() => {
    if (q !== (filter.q ?? "")) change({ q });
  }, [q]);

  const [args, isLoading] = useDeferredArgs(IssueResource.getList, filter);
  const { issues, meta } = useSuspense(IssueResource.getList, ...args);

  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const { mutate, isPending, error } = useMutation(closeIssues, { onSuccess: () => setSelected(new Set()) });
  const toggle = (id: number) => {
    const others = new Set(selected);
    if (!others.delete(id)) others.add(id);
    setSelected(others);
  };

  return (
    <section>
      <h1>Issues</h1>
      <div class="bar">
        <input
          type="search"
          aria-label="Search"
          placeholder="Search"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <Choice
          name="State"
          value={filter.state}
          options={[["", "All"], ["open", "Open"], ["closed", "Closed"]]}
          choose={(state) => change({ state })}
        />
        <Choice
          name="Assignee"
          value={filter.assignee_id}
          options={[["", "Anybody"], ...users.map(({ id, name }) => [String(id), name] as const)]}
          choose={(assignee_id) => change({ assignee_id })}
        />
        <Choice
          name="Sort"
          value={filter.sort}
          options={[["", "Newest"], ["created_at", "Oldest"], ["title", "Title"]]}
          choose={(sort) => change({ sort })}
        />
      </div>
      {selected.size > 0 && (
        <div class="bar">
          <button type="button" disabled={isPending} onClick={() => mutate({ ids: [...selected] })}>
            {isPending ? "Closing …" : `Close ${selected.size} selected`}
          </button>
        </div>
      )}
      {error && !isEnding(error) && <p role="alert">Not closed. {messageOf(error)}</p>}
      <ul aria-busy={isLoading || isTyping}>
        {issues.map((issue) => (
          <li key={issue.id}>
            <input
              type="checkbox"
              aria-label={`Select ${issue.title}`}
              checked={selected.has(issue.id)}
              onChange={() => toggle(issue.id)}
            />
            <a href={`#/issues/${issue.id}`}>{issue.title}</a>
            <small>
              {issue.state} · {issue.assignee?.name ?? "nobody"} · {count(issue.comments_count, "comment")}
            </small>
          </li>
        ))}
      </ul>
      <p>{count(meta.total, "issue")}</p>
      <nav class="bar" aria-label="Pages">
        {Array.from({ length: meta.pages }, (_, at) => at + 1).map((page) => (
          <button
            type="button"
            key={page}
            aria-current={page === filter.page ? "page" : undefined}
            disabled={page === filter.page}
            onClick={() => change({ page })}
          >
            {page}
          </button>
        ))}
      </nav>
    </section>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly choose: (value: string) => void;
}

export function Choice({ name, value = "", options, choose }: ChoiceProps) {
  return (
    <select aria-label={name} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      {options.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
    </select>
  );
}
