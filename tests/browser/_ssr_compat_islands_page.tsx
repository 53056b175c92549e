// The islands of `ssr_test.tsx` in an app that loads preact/compat.
import "preact/compat";
import "./_ssr_islands_page.tsx";
