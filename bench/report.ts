/**
 * Turns samples into the tables that are printed.
 *
 * @module
 */
import type { ContestantName } from "./contestants/mod.ts";
import type { Runtime } from "./host.ts";
import { findScenario } from "./scenarios.ts";
import { median, quantile } from "./statistics.ts";
import type { Ids } from "./workload.ts";

/** One contestant in one scenario under one condition. */
export interface Cell {
  readonly runtime: Runtime;
  readonly runtimeLabel: string;
  readonly ids: Ids;
  readonly n: number;
  readonly scenario: string;
  readonly contestant: ContestantName;
  /** Operations in a sample, by round. */
  readonly operations: readonly number[];
  /** In the unit of the scenario: a list for each round, which is one process. */
  readonly rounds: readonly (readonly number[])[];
}

/** The figures of a cell. */
export interface Figures {
  readonly median: number;
  readonly lowerQuartile: number;
  readonly upperQuartile: number;
}

/** A ratio below this, in either direction, says nothing: the quartiles of one figure lie that far apart. */
export const NOISE = 1.3;

const FLOORS: readonly ContestantName[] = ["raw-map", "raw-signals"];

/** The median of the processes' medians, with the quartiles of all samples. */
export function figuresOf(cell: Cell): Figures {
  const all = cell.rounds.flat();
  return {
    median: median(cell.rounds.map(median)),
    lowerQuartile: quantile(all, 0.25),
    upperQuartile: quantile(all, 0.75),
  };
}

/** One contestant's time in that of another: taken in each round, where both were sampled in turns, then the median. */
export function ratioOf(cell: Cell, to: Cell): number {
  return median(cell.rounds.map((samples, round) => median(samples) / median(to.rounds[round] ?? [])));
}

/** One table per condition and scenario, and a summary of ours per condition. */
export function renderReport(cells: readonly Cell[]): string {
  const lines: string[] = [];
  for (const [condition, ofCondition] of groupBy(cells, conditionOf)) {
    lines.push("", `== ${condition}`);
    const ofScenario = groupBy(ofCondition, (cell) => cell.scenario);
    for (const [scenario, row] of ofScenario) {
      lines.push("", `${scenario}: ${findScenario(scenario).about}`, ...renderScenario(row));
    }
    const summary = renderSummary(ofScenario);
    if (summary.length > 0) lines.push("", `ours in parts of each (below 1: ours is faster)`, ...summary);
  }
  lines.push(
    "",
    `Ratios are taken within a round, whose samples are interleaved. "~" marks one under ${NOISE}: noise.`,
  );
  return lines.join("\n");
}

function renderScenario(cells: readonly Cell[]): string[] {
  const format = formatOf(cells[0]!.scenario);
  const find = (name: ContestantName) => cells.find((cell) => cell.contestant === name);
  const references = (["ours", ...FLOORS] as const).flatMap((name) => find(name) ?? []);
  const rows = cells.map((cell) => {
    const figures = figuresOf(cell);
    return [
      cell.contestant,
      format(figures.median),
      `${format(figures.lowerQuartile)} - ${format(figures.upperQuartile)}`,
      ...references.map((reference) => reference === cell ? "1" : formatRatio(ratioOf(cell, reference))),
    ];
  });
  const head = ["", "median", "quartiles", ...references.map((reference) => `÷ ${reference.contestant}`)];
  return renderTable([head, ...rows]);
}

function renderSummary(ofScenario: ReadonlyMap<string, readonly Cell[]>): string[] {
  const others = [...new Set([...ofScenario.values()].flat().map((cell) => cell.contestant))].filter((name) =>
    name !== "ours"
  );
  const rows = [...ofScenario].flatMap(([scenario, cells]) => {
    const ours = cells.find((cell) => cell.contestant === "ours");
    if (ours === undefined) return [];
    const ratios = others.map((name) => {
      const other = cells.find((cell) => cell.contestant === name);
      return other === undefined ? "-" : formatRatio(ratioOf(ours, other));
    });
    return [[scenario, formatOf(scenario)(figuresOf(ours).median), ...ratios]];
  });
  if (rows.length === 0 || others.length === 0) return [];
  return renderTable([["", "ours", ...others.map((name) => `÷ ${name}`)], ...rows]);
}

function conditionOf(cell: Cell): string {
  const id = cell.ids === "int" ? 'integer-like ("1")' : 'strings ("x-1")';
  return `${cell.runtimeLabel}, N = ${cell.n.toLocaleString("en")}, ids ${id}, ${cell.rounds.length} processes each`;
}

function groupBy<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(key(value));
    if (group === undefined) groups.set(key(value), [value]);
    else group.push(value);
  }
  return groups;
}

function renderTable(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    `  ${row.map((cell, column) => column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)).join("  ")}`
      .trimEnd()
  );
}

function formatOf(scenario: string): (value: number) => string {
  return findScenario(scenario).unit === "ns" ? formatTime : (bytes) => `${bytes.toFixed(0)} B`;
}

/** Three digits and a unit. */
export function formatTime(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${digits(nanoseconds)} ns`;
  if (nanoseconds < 1e6) return `${digits(nanoseconds / 1e3)} µs`;
  return `${digits(nanoseconds / 1e6)} ms`;
}

/** Two digits, and a mark where the ratio is within the noise. */
export function formatRatio(ratio: number): string {
  const isNoise = ratio < NOISE && ratio > 1 / NOISE;
  return `${isNoise ? "~" : ""}${ratio >= 10 ? ratio.toFixed(0) : Number(ratio.toPrecision(2))}`;
}

function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
