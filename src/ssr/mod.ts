/**
 * Server rendering: renders a page with its data, and hands the data to the browser.
 *
 * @module
 */
export { readState } from "./read_state.ts";
export { type Page, renderPage, type RenderPageOptions } from "./render_page.ts";
export { type PageStream, renderPageToStream, type RenderPageToStreamOptions } from "./render_page_to_stream.ts";
export { stateScript, type StateScriptOptions } from "./state_script.ts";
