// The one place that names the version of preact/hooks.
export { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "npm:preact@^11/hooks";
