// The one place that names the version of preact.
export {
  Component,
  type ComponentChild,
  type ComponentChildren,
  type ComponentType,
  type Context,
  createContext,
  Fragment,
  h,
  type JSX,
  options,
  render,
  type VNode,
} from "npm:preact@^11";
