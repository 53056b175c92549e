/** A pk as text; `undefined`: not saved yet. */
export function pkText(pk: unknown): string | undefined {
  if (typeof pk == "string") return pk || undefined;
  return typeof pk == "bigint" || Number.isFinite(pk) ? `${pk}` : undefined;
}
