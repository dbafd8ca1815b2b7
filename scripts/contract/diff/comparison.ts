import type { ListedChange } from './redocly-diff.ts';
import type { SchemaLocation } from './schema-locations.ts';

type Node = Record<string, unknown>;

/** Two normalized versions of a contract and their differences. */
export interface Comparison {
  before: Node;
  after: Node;
  changes: readonly ListedChange[];
  /** Returns the locations that a change affects, in the old and the new contract. */
  locationsOf: (change: Pick<ListedChange, 'base' | 'revision'>) => SchemaLocation[];
}

/** A change that can make a correct client fail. */
export interface BreakingFinding {
  /** ID of the rule, either one of Redocly's or one of this toolchain's. */
  rule: string;
  message: string;
  /** JSON Pointer to the changed object, as if each reference were replaced by its target. */
  path: string;
  /** The changed property of the object; `key` if the object was renamed; undefined if it was added or removed. */
  property?: string | undefined;
  /** Pointer and value of the changed part in the old (`base`) and new (`revision`) normalized document. */
  base?: { pointer: string; value?: unknown } | undefined;
  revision?: { pointer: string; value?: unknown } | undefined;
}

/** Finds breaking changes by comparing parts of whole contracts. */
export type ContractRule = (comparison: Comparison) => Omit<BreakingFinding, 'rule'>[];

/** Whether a change concerns a webhook or a callback, whose requests the service sends. */
export const isDelivery = (path: string): boolean =>
  path.startsWith('/webhooks/') || path.includes('/callbacks/');

/** Formats a value for a message. */
export const formatValue = (value: unknown): string =>
  value === undefined ? 'nothing' : JSON.stringify(value);

/** Rules for changes that are breaking only if a counterexample exists. */
const aboutValues = /^(schema-((type|constraint|combinator)-)?changed|enum-values-(added|removed))$/;

/** Whether a rule is about the values that a schema allows. */
export const isAboutValues = (rule: string): boolean => aboutValues.test(rule);
