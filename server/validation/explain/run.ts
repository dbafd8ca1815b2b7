import type { CompactSchema, Formats } from '../../contract/compiled-contract.ts';
import { isObject } from '../../lib/json-object.ts';
import { type JsonLocation, pointerTo } from '../../lib/json-text.ts';
import { ownOf } from '../../lib/own-property.ts';
import type { ReportedKeyword } from '../../lib/violation.ts';

export const wholeValue: JsonLocation = { name: '', within: undefined };

/** A violation with the schema that has the violated keyword. */
export interface LocatedViolation extends Omit<ReportedKeyword, 'instancePath'> {
  schema: unknown;
  /** The location of the value that the schema was applied to. */
  at: JsonLocation;
  /** The location of the refused value. */
  location: JsonLocation;
}

/**
 * What to report of a value that matches no branch of `anyOf` or `oneOf`: the violations of the branch that it was meant for,
 * the keyword alone, or the keyword and the violations of all branches.
 */
export type BranchReport = 'meant' | 'keyword' | 'all';

/**
 * Maximum number of characters of all locations. Each violation has its own: 1,900 violations below a name of 500 KB would take
 * gigabytes of memory.
 */
const maxLocations = 1_000_000;

/** One search for violations: the schemas it may refer to, and what it has found. */
export class Run {
  readonly schemas: Readonly<Record<string, CompactSchema>>;
  readonly formats: Formats;
  readonly limit: number;
  /** Whether it is the search of a branch that may not apply. */
  readonly isBranch: boolean;
  readonly branches: BranchReport;
  readonly found: LocatedViolation[] = [];
  /** Characters of their locations. */
  locations = 0;
  constructor(
    schemas: Readonly<Record<string, CompactSchema>>,
    formats: Formats,
    limit: number,
    branches: BranchReport = 'meant',
    isBranch = false,
  ) {
    this.schemas = schemas;
    this.formats = formats;
    this.limit = limit;
    this.branches = branches;
    this.isBranch = isBranch;
  }

  /** Records a violation. */
  report(violation: LocatedViolation): void {
    if (this.isFull) return;
    this.found.push(violation);
    // Violations of a branch are counted when they are reported.
    if (!this.isBranch) this.locations += pointerTo(violation.location).length;
  }

  /** Reports what was found in a branch, next to the keyword that applies it. */
  reportInside({ found }: Run): void {
    if (this.branches === 'all') for (const violation of found) this.report(violation);
  }

  /** Whether further violations would be left out. */
  get isFull(): boolean {
    return this.found.length >= this.limit || this.locations > maxLocations;
  }

  /** Returns a search of its own, for a branch that may not apply. */
  branch(): Run {
    return new Run(this.schemas, this.formats, this.limit, this.branches, true);
  }

  schemaOf(name: string): CompactSchema {
    const schema = ownOf(this.schemas, name);
    if (schema === undefined) throw new Error(`There is no schema ${name}.`);
    return schema;
  }

  /** Whether a value has a format. Unknown formats, and those for other types, allow every value. */
  hasFormat(name: string, value: unknown): boolean {
    const format = ownOf(this.formats, name);
    if (format === undefined || format === true) return true;
    const isTyped = isObject(format) && !(format instanceof RegExp);
    const validate = isTyped ? format.validate : format;
    if (typeof value !== ((isTyped ? format.type : undefined) ?? 'string')) return true;
    if (validate instanceof RegExp) return matches(validate, String(value));
    return typeof validate === 'function' ? validate(value) === true : true;
  }
}

/** A pattern with the flag `g` remembers where it stopped. */
function matches(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(text);
}
