import "./src/dev/checks.ts";
import "./src/dev/hook_checks.ts";
import "./src/dev/texts.ts";
export * from "./core.ts";
