import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { ContractConfig } from '../config.ts';
import type { SourceMap } from './source-map.ts';

/** A problem, or a fact that a reader should know. */
export interface Finding {
  /** The kind of finding, stable for machines. */
  rule: string;
  /** A `note` does not fail the check. */
  severity: 'error' | 'warning' | 'note';
  /** The problem. */
  message: string;
  /** The remedy. */
  fix: string;
  /** Relative to the project's root. */
  file?: string | undefined;
  /** Line number, from 1. */
  line?: number | undefined;
  column?: number | undefined;
  /** Details, one per line: a counterexample, a curl command. */
  details?: readonly string[];
}

/** The result of a check. */
export interface CheckReport {
  findings: Finding[];
  /** A summary of what was checked, such as `236 examples`. */
  summary: string;
}

/** A check that does not apply or lacks its input. It is reported and does not count as passed. */
export class SkippedCheck extends Error {}

/** The input of checks. */
export interface CheckContext {
  /** Path of the contract's root. */
  api: string;
  config: ContractConfig;
  /** Whether `api` is the project's own contract. */
  isOwn: boolean;
  /** The old version, if there is one. */
  base: (() => Promise<Base>) | undefined;
  sources: () => Promise<SourceMap>;
  /** The bundled contract. */
  document: () => Promise<OpenApiDocument>;
  /** Starts the service from this source on a separate port, with a new company for each caller. */
  service: () => Promise<Service>;
  /** A date such as `2026-11-22`. */
  today: string;
  seed: number;
  /** Reports progress. */
  progress: (text: string) => void;
}

/** The old contract. */
export interface Base {
  /** The file or revision that was given. */
  name: string;
  /** The path of its root file in a temporary folder. */
  api: string;
}

export interface Service {
  base: string;
  /** Returns the `Authorization` header of a token with these scopes. */
  tokenWith: (scopes: readonly string[] | 'all') => string;
}

/** A check of the contract and the code. Its file is named after it. */
export interface Check {
  name: string;
  /** The question it answers, for `--help`. */
  question: string;
  /** Whether it also applies to other contracts. */
  forAny: boolean;
  /** @throws SkippedCheck if it does not apply; any other error if it could not run */
  run: (context: CheckContext) => Promise<CheckReport>;
}

/** The outcome of a check. Only `passed` counts as passed. */
export interface CheckOutcome extends CheckReport {
  check: string;
  state: 'passed' | 'failed' | 'not run' | 'could not run';
  seconds: number;
}
