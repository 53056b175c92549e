// The order of imports is what is tested: the hook that was put in place last comes first.
import "@rejoin/data/preact";
import "preact/compat";
import "./_compat_cases.tsx";
