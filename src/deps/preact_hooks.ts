// The one place that names the version of preact/hooks.
export { useEffect, useMemo, useRef } from "npm:preact@^11/hooks";
