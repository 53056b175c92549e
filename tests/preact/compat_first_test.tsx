// The order of imports is what is tested: the hook that was put in place last comes first.
import "preact/compat";
import "@rejoin/data/preact";
import "./_compat_cases.tsx";
