// The hooks of Preact, of the same version.
export { useContext, useEffect, useMemo } from "npm:preact@^11/hooks";
