// The one place that names the version of preact-render-to-string.
export { renderToString } from "npm:preact-render-to-string@^6";
