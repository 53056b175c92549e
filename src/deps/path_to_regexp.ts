// The one place that names the version of path-to-regexp.
export { compile, parse, type Token, type TokenData } from "npm:path-to-regexp@^9";
