/** By controller: of the boundaries of a page that a server has rendered, whether the next one still waited; 1 or 0. */
export const lateBoundaries: WeakMap<object, number[]> = /* @__PURE__ */ new WeakMap();
