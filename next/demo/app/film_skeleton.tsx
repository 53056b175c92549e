/** Stands where a film will be, of the same size. */
export function FilmSkeleton() {
  return (
    <article class="film" aria-busy="true" aria-label="The film is loading">
      <header>
        <div class="poster bone" />
        <div class="head">
          <p class="kicker">
            <span class="bone" style={{ width: "9em" }} />
          </p>
          <h1>
            <span class="bone" style={{ width: "60%" }} />
          </h1>
          <p class="by">
            <span class="bone" style={{ width: "12em" }} />
          </p>
          <p class="rate">
            <span class="bone" style={{ width: "14em" }} />
          </p>
        </div>
      </header>
      <dl class="facts">
        {Array.from({ length: 8 }, (_, index) => (
          <div key={index}>
            <dt>
              <span class="bone" style={{ width: "5em" }} />
            </dt>
            <dd>
              <span class="bone" style={{ width: "8em" }} />
            </dd>
          </div>
        ))}
      </dl>
    </article>
  );
}
