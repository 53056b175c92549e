/** The text of `twelve.tsx`, put here when the page is bundled: what is shown is checked as all code is. */
declare const TWELVE_LINES: string;

export function Code() {
  const lines = TWELVE_LINES.split("\n").filter((line) => line !== "" && !/^(import|\/\/)/.test(line));
  return (
    <section class="code" aria-labelledby="code">
      <h2 id="code">Twelve lines</h2>
      <ol tabIndex={0}>
        {lines.map((line, index) => (
          <li key={index}>
            <code>{line}</code>
          </li>
        ))}
      </ol>
    </section>
  );
}
