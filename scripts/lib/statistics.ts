/** What of all values is at or below: 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** A number with so many digits as mean something. */
export const formatNumber = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

/** One line of the result. */
export interface Measurement {
  /** What was measured, and its unit. */
  what: string;
  /** Of each round. */
  values: number[];
  /** What is hoped for, where something is. */
  goal?: { least: number } | { most: number };
}

export const isGoalMet = ({ values, goal }: Measurement): boolean | undefined => {
  if (!goal) return undefined;
  const value = median(values);
  return 'least' in goal ? value >= goal.least : value <= goal.most;
};
