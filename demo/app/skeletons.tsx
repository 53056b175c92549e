/** What stands where something will be, of the same size: nothing moves when it comes. */

/** A grey bar in place of words. */
function Bone({ width }: { width: string }) {
  return <span class="bone" style={{ width }} />;
}

/** Films of a list. */
export function ListSkeleton() {
  return (
    <div class="scroll" aria-busy="true" aria-label="The list is loading">
      <div class="count">
        <p>
          <Bone width="6em" />
        </p>
        <p class="still">The server takes its time …</p>
      </div>
      <ul class="rows">
        {Array.from({ length: 24 }, (_, index) => (
          <li key={index} class="row">
            <div class="ghost">
              <span class="poster small bone" />
              <span class="what">
                <strong>
                  <Bone width={`${11 + index * 7 % 9}em`} />
                </strong>
                <span class="about">
                  <Bone width={`${7 + index * 5 % 6}em`} />
                </span>
              </span>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Films of a shelf. */
export function CardsSkeleton({ count }: { count: number }) {
  return (
    <ul class="cards" aria-busy="true" aria-label="Loading">
      {Array.from({ length: count }, (_, index) => (
        <li key={index} class="card">
          <div class="ghost">
            <span class="poster small bone" />
            <span class="caption">
              <strong>
                <Bone width="80%" />
              </strong>
              <span class="about">
                <Bone width="40%" />
              </span>
            </span>
          </div>
        </li>
      ))}
    </ul>
  );
}

/** A film. */
export function FilmSkeleton() {
  return (
    <article class="film" aria-busy="true" aria-label="The film is loading">
      <header>
        <div class="poster bone" />
        <div class="head">
          <p class="kicker">
            <Bone width="9em" />
          </p>
          <h1>
            <Bone width="60%" />
          </h1>
          <p class="by">
            <Bone width="12em" />
          </p>
          <p class="rate">
            <Bone width="14em" />
          </p>
        </div>
      </header>
    </article>
  );
}

/** The stage. */
export function HomeSkeleton() {
  return (
    <div class="home" data-place="home" aria-busy="true">
      <section class="stage">
        <header>
          <h1>3,201 components on one page</h1>
        </header>
        <div class="controls" />
        <div class="wall" />
      </section>
    </div>
  );
}
