// The one place that names the version of path-to-regexp.
export { parse, type Token } from "npm:path-to-regexp@^9";
