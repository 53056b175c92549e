/** The styles of the panel. They are adopted by its shadow root: a strict policy allows no others. */
export const STYLE: string = `
:host {
  all: initial;
  color-scheme: light dark;
  --ink: light-dark(#1c2330, #e7eaf0);
  --dim: light-dark(#596273, #9aa4b6);
  --paper: light-dark(#ffffff, #171b23);
  --sheet: light-dark(#f3f5f8, #1f2530);
  --rule: light-dark(#d8dde6, #333b4a);
  --focus: light-dark(#1552c8, #8ab4ff);
  --good: light-dark(#146c37, #6fd394);
  --wait: light-dark(#8a5300, #ffc25c);
  --bad: light-dark(#b3202c, #ff8d8d);
  --back: light-dark(#8a2294, #eb9bf2);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
.panel, .opener {
  font: 13px/1.45 system-ui, sans-serif;
  color: var(--ink);
}
bdi, td, dd, dt, .changes li { unicode-bidi: isolate; }
.panel {
  position: fixed; inset: auto 0 0 0; z-index: 2147483646;
  display: flex; flex-direction: column;
  height: min(46vh, 520px);
  background: var(--paper);
  border-top: 2px solid var(--focus);
  box-shadow: 0 -6px 24px rgb(0 0 0 / 0.18);
}
button, input {
  font: inherit; color: inherit;
}
button {
  padding: 3px 9px; min-height: 26px;
  background: var(--sheet); border: 1px solid var(--rule); border-radius: 5px;
  cursor: pointer;
}
button:hover:enabled { border-color: var(--focus); }
button:disabled { opacity: 0.45; cursor: default; }
button[aria-pressed="true"] { background: var(--focus); border-color: var(--focus); color: var(--paper); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: -2px; }
.opener {
  position: fixed; right: 12px; bottom: 12px; z-index: 2147483646;
  display: flex; align-items: center; gap: 7px;
  padding: 6px 12px; border-radius: 20px;
  background: var(--paper); box-shadow: 0 2px 12px rgb(0 0 0 / 0.25);
}
:host(:nth-child(2 of rejoin-inspector)) .opener { bottom: 52px; }
:host(:nth-child(n + 3 of rejoin-inspector)) .opener { bottom: 92px; }
.dot { width: 9px; height: 9px; border-radius: 50%; background: var(--good); }
.busy .dot { background: var(--wait); }
.failed .dot { background: var(--bad); }
.panel > header {
  display: flex; align-items: center; flex-wrap: wrap; gap: 4px 12px;
  padding: 5px 10px; border-bottom: 1px solid var(--rule);
}
.panel > header label { display: flex; align-items: center; gap: 5px; margin-left: auto; cursor: pointer; }
.ran { color: var(--dim); }
.close, .back { min-width: 28px; font-size: 16px; line-height: 1; }
[role="tablist"] { display: flex; gap: 2px; }
[role="tab"] { background: none; border-color: transparent; }
[role="tab"][aria-selected="true"] { background: var(--sheet); border-color: var(--rule); font-weight: 600; }
.strip {
  display: flex; flex: none; gap: 5px; margin: 0; padding: 6px 10px;
  overflow-x: auto; list-style: none; border-bottom: 1px solid var(--rule);
}
.strip:empty { display: none; }
.strip li {
  flex: none; max-width: 260px; padding: 1px 8px;
  border: 1px solid var(--rule); border-left: 4px solid var(--tone, var(--rule)); border-radius: 4px;
  background: var(--sheet); font-size: 12px;
}
.strip bdi { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.took { color: var(--tone, var(--dim)); white-space: nowrap; }
.mark { --tone: var(--dim); }
.mark.done, .mark.fresh { --tone: var(--good); }
.mark.pending, .mark.layer, .mark.stale { --tone: var(--wait); }
.mark.failed, .mark.invalid { --tone: var(--bad); }
.mark.rolled-back, .mark.deleted { --tone: var(--back); }
.strip .rolled-back { border-style: dashed; border-left-style: solid; }
td.mark { color: var(--tone); font-weight: 600; }
.banner {
  display: flex; align-items: center; justify-content: space-between; gap: 10px;
  margin: 0; padding: 4px 10px; background: var(--back); color: var(--paper); font-weight: 600;
}
.banner button { color: var(--ink); }
.body { flex: 1; min-height: 0; }
.requests, .time { height: 100%; padding: 8px 10px; overflow: auto; }
h3, h4, p, ul, dl, dd { margin: 0; padding: 0; }
ul { list-style: none; }
h3 { font-size: 14px; overflow-wrap: anywhere; }
h4 { color: var(--dim); font-size: 12px; font-weight: 600; }
.requests h3 { font-size: 13px; font-weight: 600; }
.layers { display: flex; flex-wrap: wrap; gap: 5px; margin: 4px 0 8px; }
.layers button { border-left: 4px solid var(--wait); }
.words { padding: 3px 0 6px; overflow-wrap: anywhere; }
.grid { width: 100%; }
.none { padding: 8px 0; color: var(--dim); }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th {
  position: sticky; top: 0; padding: 3px 8px; background: var(--paper);
  color: var(--dim); font-weight: 600; text-align: left; white-space: nowrap;
}
td {
  padding: 3px 8px; border-top: 1px solid var(--rule); font-variant-numeric: tabular-nums;
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
.requests th:nth-child(1) { width: 40%; }
.requests th:nth-child(3) { width: 84px; }
.requests th:nth-child(4), .time th:nth-child(1) { width: 116px; }
.store th:nth-child(1) { width: 22%; }
.store th:nth-child(2) { width: 84px; }
.store th:nth-child(3) { width: 68px; }
.store th:nth-child(4) { width: 104px; }
tbody tr { cursor: pointer; }
tbody tr:hover { background: var(--sheet); }
tbody tr[aria-selected="true"] { background: color-mix(in srgb, var(--focus) 18%, var(--paper)); }
.more { margin: 8px 0; }
.store { display: grid; grid-template: minmax(0, 1fr) / 170px minmax(0, 1fr); height: 100%; }
.store.has-details { grid-template-columns: 170px minmax(0, 1fr) minmax(0, 1.15fr); }
.has-details :is(th, td):is(:nth-child(3), :nth-child(4)) { display: none; }
.store > * { min-height: 0; overflow: auto; padding: 8px 10px; }
.store > nav { padding: 6px; border-right: 1px solid var(--rule); }
.shelves button { display: flex; gap: 8px; justify-content: space-between; width: 100%; background: none; border-color: transparent; text-align: left; }
.shelves bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.shelves button[aria-current] { background: var(--sheet); border-color: var(--rule); font-weight: 600; }
.count { color: var(--dim); font-weight: 400; font-variant-numeric: tabular-nums; }
.rows { padding-top: 0 !important; }
.rows input { width: 100%; margin: 8px 0 2px; padding: 3px 8px; min-height: 28px; background: var(--sheet); border: 1px solid var(--rule); border-radius: 5px; }
.details { border-left: 1px solid var(--rule); }
.details > header { display: flex; align-items: start; justify-content: space-between; gap: 8px; }
.graph {
  display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr); align-items: center; gap: 0 34px;
  margin: 4px 0 8px; padding: 8px; background: var(--sheet); border-radius: 6px;
}
.graph > div { position: relative; }
.graph > :not(:last-child)::after {
  content: "→"; position: absolute; top: 50%; right: -26px; translate: 0 -50%; color: var(--dim); font-size: 16px;
}
.graph ul { display: grid; grid-template-columns: minmax(0, 1fr); gap: 4px; margin-top: 3px; }
.graph ul:empty::after { content: "nothing"; color: var(--dim); }
.center { display: block; max-width: 150px; padding: 6px 10px; border: 2px solid var(--focus); border-radius: 6px; font-weight: 700; overflow-wrap: anywhere; }
.thing { max-width: 100%; padding: 1px 8px; background: var(--paper); text-align: left; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.thing.list { border-left: 4px solid var(--focus); }
.thing.answer { border-left: 4px solid var(--good); }
.thing small { color: var(--dim); }
.facts > div { display: grid; grid-template-columns: minmax(80px, 26%) minmax(0, 1fr); gap: 10px; padding: 2px 0; border-top: 1px solid var(--rule); }
dt { color: var(--dim); overflow-wrap: anywhere; }
dd { overflow-wrap: anywhere; }
.line { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; }
.line input { flex: 1 1 160px; min-width: 0; accent-color: var(--focus); }
.changes { max-height: 110px; margin-bottom: 6px; overflow: auto; }
.changes li { padding: 1px 0 1px 10px; border-left: 3px solid var(--rule); overflow-wrap: anywhere; }
.over { position: fixed; inset: 0; z-index: 2147483645; overflow: hidden; pointer-events: none; }
.box { position: absolute; top: 0; left: 0; border-radius: 3px; font: 600 11px/1.4 system-ui, sans-serif; }
.box span { position: absolute; top: 0; left: 0; padding: 0 4px; border-radius: 2px 0 3px 0; white-space: nowrap; }
.box span:empty { display: none; }
.ran.box { outline: 2px solid var(--focus); outline-offset: -1px; animation: fade 0.9s ease-in forwards; }
.ran.box span { background: var(--focus); color: var(--paper); }
.lit.box { outline: 3px solid var(--wait); outline-offset: 1px; background: color-mix(in srgb, var(--wait) 15%, transparent); }
.lit.box span { background: var(--wait); color: var(--paper); }
@keyframes fade { to { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { .ran.box { animation: none; } }
@media (max-width: 720px) {
  .panel { height: min(62vh, 560px); }
  .panel > header { gap: 4px 6px; padding: 4px 8px; }
  .panel > header strong, .ran { display: none; }
  [role="tab"] { padding: 3px 7px; }
  .store, .store.has-details { grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); }
  .store > nav { padding: 4px 8px; border: 0; border-bottom: 1px solid var(--rule); }
  .shelves { display: flex; }
  .shelves li { flex: none; }
  .store.has-details > nav, .store.has-details > .rows { display: none; }
  .store.has-details { grid-template-rows: minmax(0, 1fr); }
  .details { border: 0; }
  .graph { grid-template-columns: minmax(0, 1fr); gap: 18px 0; }
  .graph > :not(:last-child)::after { content: "↓"; top: auto; right: auto; bottom: -20px; left: 12px; translate: none; }
  .center { max-width: none; }
  .store :is(th, td):is(:nth-child(3), :nth-child(4)) { display: none; }
  .requests th:last-child, .requests td:last-child { display: none; }
}
`;
