/**
 * The statistics of the report.
 *
 * @module
 */

/** The value below which a fraction of the values lies, interpolated. */
export function quantile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * fraction;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** The median. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
