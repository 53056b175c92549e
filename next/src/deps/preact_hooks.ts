// The hooks of Preact, of the same version.
export { useEffect } from "npm:preact@^11/hooks";
