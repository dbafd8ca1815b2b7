import { cpus } from 'node:os';

/** Describes the machine on which a measurement runs, in one line. */
export const machineText = (): string =>
  `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`;

/** Returns a quantile; 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Formats a number with three significant digits if it is below 100, otherwise as an integer. */
export const formatNumber = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

/** One metric of a benchmark run. */
export interface Measurement {
  /** Name and unit. */
  what: string;
  /** One value per turn. */
  values: number[];
  /** The maximum of the median; undefined if there is no goal. */
  most?: number;
}
