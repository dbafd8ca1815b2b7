import { ownOf } from '../../lib/own-property.ts';
import type { ReportedKeyword } from '../../lib/violation.ts';
import type { CompactSchema, Formats } from '../compiled-contract.ts';
import { isDocumentNode } from '../document-node.ts';

/** One search for violations: the schemas it may refer to, and what it has found. */
export class Run {
  readonly schemas: Readonly<Record<string, CompactSchema>>;
  readonly formats: Formats;
  readonly limit: number;
  /** Whether it is the search of a branch that may not apply. */
  readonly isBranch: boolean;
  readonly found: ReportedKeyword[] = [];
  constructor(
    schemas: Readonly<Record<string, CompactSchema>>,
    formats: Formats,
    limit: number,
    isBranch = false,
  ) {
    this.schemas = schemas;
    this.formats = formats;
    this.limit = limit;
    this.isBranch = isBranch;
  }

  /** Records a violation. */
  report(violation: ReportedKeyword): void {
    if (this.found.length < this.limit) this.found.push(violation);
  }

  /** Whether further violations would be left out. */
  get isFull(): boolean {
    return this.found.length >= this.limit;
  }

  /** Returns a search of its own, for a branch that may not apply. */
  branch(): Run {
    return new Run(this.schemas, this.formats, this.limit, true);
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
    const isTyped = isDocumentNode(format) && !(format instanceof RegExp);
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
