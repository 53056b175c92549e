/** Looks and behaviour of the site: no file from elsewhere, and it works without a server. */
export const CSS = `
:root { color-scheme: light dark; --text: #1c2430; --dim: #5b6675; --back: #fff; --side: #f6f7f9; --line: #dfe3e8;
  --link: #1d4ed8; --code: #f3f5f8; --word: #7c3aed; --string: #0f766e; --gives: #b45309; --mark: #dbeafe }
:root[data-theme=dark] { color-scheme: dark; --text: #e6e9ef; --dim: #a3adbb; --back: #12161c; --side: #171c24;
  --line: #2a323d; --link: #8ab4ff; --code: #1b212a; --word: #c4a7ff; --string: #6ee7c8; --gives: #f0b45c; --mark: #1e3a6b }
:root[data-theme=light] { color-scheme: light }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { --text: #e6e9ef; --dim: #a3adbb; --back: #12161c;
  --side: #171c24; --line: #2a323d; --link: #8ab4ff; --code: #1b212a; --word: #c4a7ff; --string: #6ee7c8;
  --gives: #f0b45c; --mark: #1e3a6b } }
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.6 system-ui, sans-serif; color: var(--text); background: var(--back); display: grid;
  grid-template-columns: 17rem minmax(0, 1fr) }
a { color: var(--link); text-underline-offset: 2px }
nav { background: var(--side); border-right: 1px solid var(--line); padding: 1rem; height: 100vh; position: sticky; top: 0;
  overflow-y: auto; font-size: 0.94rem }
nav h2 { font-size: 0.78rem; letter-spacing: 0.04em; text-transform: uppercase; color: var(--dim); margin: 1.1rem 0 0.25rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav a { display: block; padding: 0.14rem 0.5rem; border-radius: 5px; color: inherit; text-decoration: none }
nav a:hover { background: var(--code) }
nav a[aria-current] { background: var(--mark); font-weight: 600 }
.find { position: sticky; top: -1rem; background: var(--side); padding: 1rem 0 0.4rem; margin-top: -1rem }
.top span { display: flex; gap: 0.4rem }
.top { display: flex; gap: 0.5rem; align-items: center; justify-content: space-between }
.top a { font-weight: 700; font-size: 1.15rem; padding: 0 }
button, input { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 6px }
button { padding: 0.15rem 0.6rem; cursor: pointer }
input { width: 100%; padding: 0.4rem 0.6rem; margin: 0.7rem 0 0 }
main { padding: 1.5rem 2.5rem 5rem; max-width: 56rem; width: 100%; min-width: 0 }
h1, h2, h3, p, li { overflow-wrap: anywhere }
h1 { font-size: 2rem; line-height: 1.2; margin: 0.4rem 0 1rem } h2 { margin: 2.4rem 0 0.6rem } h3 { margin: 1.8rem 0 0.4rem }
.to { visibility: hidden; color: var(--dim); text-decoration: none; font-weight: 400 } :is(h1, h2, h3):hover .to { visibility: visible }
code { font: 0.9em/1.5 ui-monospace, "Cascadia Mono", Menlo, monospace; background: var(--code); border-radius: 4px;
  padding: 0.1em 0.3em; overflow-wrap: anywhere }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 8px; padding: 0.9rem 1.1rem; overflow-x: auto }
pre code { background: none; padding: 0; overflow-wrap: normal }
i { font-style: normal } .comment { color: var(--dim) } .text { color: var(--string) } .word { color: var(--word) }
.gives { color: var(--gives) } .added { color: var(--string) } .gone { color: var(--gives) }
.play { display: flex; flex-wrap: wrap; gap: 0.4rem 0.9rem; align-items: center; margin: -0.5rem 0 1.6rem; font-size: 0.9rem }
.play label { display: flex; gap: 0.3rem; align-items: center; cursor: pointer } .play input { width: auto; margin: 0 }
.play iframe { flex: 1 0 100%; height: 9rem; border: 1px solid var(--line); border-radius: 8px; background: var(--back); resize: vertical }
.play .more { display: none; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.9rem } .play.runs .more { display: flex }
.wide { overflow-x: auto } table { border-collapse: collapse; width: 100%; font-size: 0.94rem }
th, td { border-bottom: 1px solid var(--line); padding: 0.4rem 0.7rem; text-align: left; vertical-align: top }
td code, th code { overflow-wrap: normal } th { color: var(--dim); font-weight: 600 } .number { text-align: right }
img { max-width: 100%; height: auto }
#found { list-style: none; margin: 0.4rem 0 0; padding: 0 } #found a { padding: 0.35rem 0.5rem }
#found small { display: block; color: var(--dim); font-size: 0.82rem; line-height: 1.35 }
#found a.chosen { background: var(--mark) }
.steps { display: flex; justify-content: space-between; gap: 1rem; margin-top: 4rem; border-top: 1px solid var(--line); padding-top: 1rem }
#menu { display: none }
@media (max-width: 50rem) {
  body { display: block } nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line) }
  .find { position: static }
  nav .pages { display: none } nav.open .pages { display: block } #menu { display: block }
  main { padding: 1rem 1.1rem 4rem } h1 { font-size: 1.6rem }
}
@media print { nav, .steps { display: none } body { display: block } }
`;

/** Theme, menu and search. The index is a script beside it, so that a page opened from a disk can search, too. */
export const SCRIPT = `
const root = document.documentElement;
const kept = (() => { try { return localStorage.getItem("theme"); } catch { return null; } })();
if (kept) root.dataset.theme = kept;
addEventListener("DOMContentLoaded", () => {
  const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  document.getElementById("theme").onclick = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("theme", root.dataset.theme); } catch { /* private mode */ }
  };
  const nav = document.querySelector("nav");
  document.getElementById("menu").onclick = () => nav.classList.toggle("open");
  const current = nav.querySelector("[aria-current]");
  if (current) nav.scrollTop = current.offsetTop - nav.clientHeight / 2;
  const field = document.getElementById("search");
  const found = document.getElementById("found");
  const base = document.body.dataset.base;
  const show = () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const scored = words.length === 0 ? [] : SEARCH_INDEX.map((entry) => {
      const [, title, heading, text] = entry;
      let score = 0;
      for (const word of words) {
        const inTitle = title.toLowerCase().includes(word) ? 8 : 0;
        const inHeading = heading.toLowerCase().includes(word) ? 12 : 0;
        const inText = text.toLowerCase().includes(word) ? 1 : 0;
        if (inTitle + inHeading + inText === 0) return { entry, score: 0 };
        score += inTitle + inHeading + inText;
      }
      return { entry, score };
    }).filter(({ score }) => score > 0).sort((one, other) => other.score - one.score).slice(0, 12);
    found.replaceChildren(...scored.map(({ entry: [href, title, heading, text] }, at) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = base + href;
      link.className = at === 0 ? "chosen" : "";
      link.textContent = heading === title ? title : title + " › " + heading;
      const at0 = Math.max(0, text.toLowerCase().indexOf(words[0]) - 40);
      const small = document.createElement("small");
      // Whole words: what is cut off at either end is a part of one.
      const from = at0 === 0 ? 0 : text.indexOf(" ", at0) + 1;
      const shown = text.slice(from, from + 110);
      const cut = from + 110 < text.length ? shown.slice(0, shown.lastIndexOf(" ")) + " …" : shown;
      small.textContent = (from > 0 ? "… " : "") + cut;
      link.append(small);
      item.append(link);
      return item;
    }));
    if (words.length > 0 && scored.length === 0) found.textContent = "Nothing found.";
  };
  field.oninput = show;
  field.onkeydown = ({ key }) => { if (key === "Enter") found.querySelector("a")?.click(); };
  for (const play of document.querySelectorAll(".play")) {
    const script = (name) => "<script src='" + new URL(base + "play/" + name, location.href).href + "'></" + "script>";
    const server = () => play.querySelector("input:checked").value;
    const tell = (message) => play.querySelector("iframe")?.contentWindow.postMessage(message, "*");
    const run = () => {
      play.querySelector("iframe")?.remove();
      const frame = document.createElement("iframe");
      frame.title = "The example, running";
      // Paths without an origin lead to the server of the examples.
      frame.srcdoc = "<!doctype html><html data-server=" + server() + " data-theme=" + (isDark() ? "dark" : "light") +
        "><base href='https://api.example.com/'><body><div id=app></div>" + script("runtime.js") + script(play.dataset.script);
      play.append(frame);
      play.classList.add("runs");
    };
    play.querySelector("[data-run]").onclick = run;
    play.querySelector("[data-inspect]").onclick = () => {
      play.querySelector("iframe").style.height = "26rem";
      tell("inspect");
    };
    for (const input of play.querySelectorAll("input")) input.onchange = () => tell(server());
  }
  addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== field) { event.preventDefault(); field.focus(); }
  });
});
`;
