import { useInfinite } from "@rejoin/data/preact";
import { useEffect, useRef } from "preact/hooks";
import { getActivity, messageOf } from "./api.ts";

export function Feed() {
  const { items, loading, error, hasNext, isFetchingNext, next } = useInfinite(getActivity, [{}], {
    next: ({ meta }) => meta.next !== null && { before: meta.next },
  });
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!end.current || !hasNext || isFetchingNext || error) return;
    const observer = new IntersectionObserver(([entry]) => entry!.isIntersecting && next());
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNext, isFetchingNext, error, items.length]);

  if (loading) return <p>Loading …</p>;
  return (
    <section>
      <h1>Activity</h1>
      <ul>
        {items.map(({ id, kind, user, issue }) => (
          <li key={id}>
            <span>
              {user.name} {kind} {issue ? <a href={`#/issues/${issue.id}`}>{issue.title}</a> : "a deleted issue"}
            </span>
          </li>
        ))}
      </ul>
      <div ref={end}>
        {isFetchingNext && "Loading more …"}
        {!hasNext && "This is where it began."}
      </div>
      {error && (
        <p role="alert">
          {messageOf(error)} <button type="button" onClick={next}>Try again</button>
        </p>
      )}
    </section>
  );
}
