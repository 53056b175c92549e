/** The temporary pks that the records of some instances had. */
export const firstPks: WeakMap<object, string> = /* @__PURE__ */ new WeakMap();
