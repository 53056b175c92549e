/**
 * Turns samples into the tables that are printed.
 *
 * @module
 */
import type { ContestantName } from "./contestants/mod.ts";
import type { Runtime } from "./host.ts";
import { type Goal, goalsFor, GROWTHS } from "./goals.ts";
import { familyOf, findScenario } from "./scenarios.ts";
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

/**
 * One table per condition, with our ratios to each other contestant and the verdict on each goal.
 *
 * @param cells All that was measured.
 * @param details Also a table per scenario, with the medians and quartiles of everybody.
 */
export function renderReport(cells: readonly Cell[], details = false): string {
  const lines: string[] = [];
  for (const [condition, ofCondition] of groupBy(cells, conditionOf)) {
    lines.push("", `== ${condition}`);
    const ofScenario = groupBy(ofCondition, (cell) => cell.scenario);
    for (const [scenario, row] of details ? ofScenario : []) {
      lines.push("", `${scenario}: ${findScenario(scenario).about}`, ...renderScenario(row));
    }
    const summary = renderSummary(ofScenario);
    if (summary.length > 0) lines.push("", "ours, and in parts of each (below 1: ours is faster)", ...summary);
  }
  lines.push(...renderGrowths(cells));
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

/** A goal and what became of it; `undefined`: nobody was there to compare with. */
interface Verdict {
  readonly goal: Goal;
  readonly found: number | undefined;
}

/** What became of the goals of a row. */
export function verdictsOn(ours: Cell, others: readonly Cell[]): readonly Verdict[] {
  return goalsFor(ours.scenario, ours).map((goal) => {
    if (goal.to === undefined) return { goal, found: figuresOf(ours).median };
    const other = others.find((cell) => cell.contestant === goal.to);
    return { goal, found: other && ratioOf(ours, other) };
  });
}

function renderSummary(ofScenario: ReadonlyMap<string, readonly Cell[]>): string[] {
  const isOurs = (name: ContestantName) => name.startsWith("ours");
  const others = [...new Set([...ofScenario.values()].flat().map((cell) => cell.contestant))]
    .filter((name) => !isOurs(name));
  const rows = [...ofScenario].flatMap(([scenario, cells]) =>
    cells.filter((cell) => isOurs(cell.contestant)).map((ours) => {
      const ratios = others.map((name) => {
        const other = cells.find((cell) => cell.contestant === name);
        return other === undefined ? "-" : formatRatio(ratioOf(ours, other));
      });
      const format = formatOf(scenario);
      const verdicts = verdictsOn(ours, cells);
      const goals = verdicts.map(({ goal }) =>
        goal.to === undefined ? `≤ ${format(goal.atMost)}` : `≤ ${goal.atMost} × ${goal.to}`
      );
      // Not by the rounded figure: 0.404 is shown as 0.4.
      const missed = verdicts.filter(({ goal, found }) => found !== undefined && found > goal.atMost)
        .map(({ goal, found }) => goal.to === undefined ? format(found!) : `${found!.toPrecision(3)} × ${goal.to}`);
      const open = verdicts.filter(({ found }) => found === undefined).map(({ goal }) => `no ${goal.to}`);
      const verdict = verdicts.length === 0
        ? ""
        : missed.length > 0
        ? `MISSED: ${missed.join(", ")}`
        : open.length > 0
        ? `open: ${open.join(", ")}`
        : "reached";
      const name = ours.contestant === "ours" ? scenario : `  ${ours.contestant}`;
      return [name, format(figuresOf(ours).median), ...ratios, `  ${verdict.padEnd(8)}`, goals.join(", ")];
    })
  );
  if (rows.length === 0) return [];
  return renderTable([["", "ours", ...others.map((name) => `÷ ${name}`), "  verdict", "goal"], ...rows], 2);
}

/**
 * What our own figures at two sizes say about {@linkcode GROWTHS}. More rows lie further away in memory: a machine where
 * the floor, which looks up one row and replaces it, grows by more than a goal cannot show that we do.
 */
function renderGrowths(cells: readonly Cell[]): string[] {
  const lines = GROWTHS.flatMap(({ scenario, from, to, atMost }) => {
    const ofScenario = cells.filter((cell) => cell.scenario === scenario);
    return ofScenario.filter((cell) => cell.contestant === "ours" && cell.n === to).flatMap((large) => {
      const growth = growthOf(large, from, ofScenario);
      if (growth === undefined) return [];
      const beside = ofScenario.find((cell) =>
        cell.contestant === "raw-signals" && cell.n === to && isBeside(cell, large)
      );
      const floor = (beside && growthOf(beside, from, ofScenario)) ?? 0;
      return [[
        scenario,
        `${large.runtimeLabel}, ids ${large.ids}`,
        `N = ${to} costs ${growth.toPrecision(2)} × N = ${from}`,
        floor === 0 ? "" : `raw-signals ${floor.toPrecision(2)} ×`,
        `goal ≤ ${atMost}`,
        growth <= atMost ? "reached" : growth <= floor * NOISE ? "no more than raw-signals" : "MISSED",
      ]];
    });
  });
  return lines.length === 0 ? [] : ["", "== Growth", "", ...renderTable(lines, 6)];
}

/** How many times a cell costs what the same costs with so many rows. */
function growthOf(large: Cell, from: number, cells: readonly Cell[]): number | undefined {
  const small = cells.find((cell) => cell.contestant === large.contestant && cell.n === from && isBeside(cell, large));
  return small && figuresOf(large).median / figuresOf(small).median;
}

/** Whether two cells are of one runtime and one shape of ids. */
function isBeside(a: Cell, b: Cell): boolean {
  return a.runtimeLabel === b.runtimeLabel && a.ids === b.ids;
}

function conditionOf(cell: Cell): string {
  const processes = `${cell.rounds.length} ${cell.rounds.length === 1 ? "process" : "processes"} each`;
  const family = familyOf(findScenario(cell.scenario));
  if (family === "calls") return `${cell.runtimeLabel}, declaring and calling, ${processes}`;
  if (family === "bulk") return `${cell.runtimeLabel}, much at once, ${processes}`;
  if (family === "depth") return `${cell.runtimeLabel}, ${cell.n.toLocaleString("en")} nested entities, ${processes}`;
  const id = cell.ids === "int" ? 'integer-like ("1")' : 'strings ("x-1")';
  return `${cell.runtimeLabel}, N = ${cell.n.toLocaleString("en")}, ids ${id}, ${processes}`;
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

/** Columns of text stand left, columns of figures right: the first, and so many of the last, are text. */
export function renderTable(rows: readonly (readonly string[])[], lastTexts = 0): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) => {
    const texts = row.map((cell, column) =>
      column === 0 || column >= row.length - lastTexts ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)
    );
    return `  ${texts.join("  ")}`.trimEnd();
  });
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
