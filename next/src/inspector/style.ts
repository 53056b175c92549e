/** Adopted by the shadow root of the panel: a strict Content-Security-Policy allows no other. */
export const STYLE = `
:host { all: initial; color-scheme: light dark; }
* { box-sizing: border-box; font: 12px/1.4 system-ui, sans-serif; }
.panel, .opener { color: light-dark(#1c2330, #e7eaf0); background: light-dark(#fff, #171b23); }
.panel { position: fixed; inset: auto 0 0 0; z-index: 2147483646; display: flex; flex-direction: column;
  height: min(33vh, 420px); border-top: 2px solid light-dark(#1552c8, #8ab4ff); }
header, nav, form { display: flex; flex-wrap: wrap; gap: 4px; padding: 4px 8px; align-items: center; }
header { border-bottom: 1px solid light-dark(#d8dde6, #333b4a); flex-wrap: nowrap; overflow-x: auto; }
header .close { margin-left: auto; }
main { overflow: auto; flex: 1; }
button, input { color: inherit; background: light-dark(#f3f5f8, #1f2530); border: 1px solid light-dark(#8a94a6, #5b6577);
  border-radius: 4px; padding: 2px 7px; min-height: 24px; }
button { cursor: pointer; text-align: start; overflow-wrap: anywhere; }
button[aria-pressed="true"], button[aria-expanded="true"] { color: light-dark(#fff, #171b23);
  background: light-dark(#1552c8, #8ab4ff); }
:focus-visible { outline: 2px solid light-dark(#1552c8, #8ab4ff); outline-offset: 1px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: start; vertical-align: top; padding: 2px 8px; overflow-wrap: anywhere; }
th { font-weight: 600; }
tbody tr { border-top: 1px solid light-dark(#e4e8ee, #2a313d); }
pre { margin: 4px 8px; white-space: pre-wrap; overflow-wrap: anywhere; font-family: ui-monospace, monospace; }
.opener { position: fixed; right: 12px; bottom: 12px; z-index: 2147483646; }
.light { position: fixed; z-index: 2147483645; pointer-events: none; border: 2px solid light-dark(#8a2294, #eb9bf2); }
`;
