import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import type { ContractConfig } from '../config.ts';
import type { SourceMap } from './source-map.ts';

/** Something that does not hold, or that a reader should know. */
export interface Finding {
  /** Names the kind of finding: stable, for machines. */
  rule: string;
  /** `note`: it is said, and holds nobody up. */
  severity: 'error' | 'warning' | 'note';
  /** What is wrong. */
  message: string;
  /** What to do about it. */
  fix: string;
  /** From the project's root. */
  file?: string | undefined;
  /** From 1. */
  line?: number | undefined;
  column?: number | undefined;
  /** What belongs to it, line by line: a witness, a curl line. */
  details?: readonly string[];
}

/** What a check has shown. */
export interface CheckReport {
  findings: Finding[];
  /** In a few words, what was looked at: `236 examples`. */
  summary: string;
}

/** Thrown where a check does not apply, or lacks what it looks at. It is told, and is no pass. */
export class SkippedCheck extends Error {}

/** What checks are given. */
export interface CheckContext {
  /** Path of the contract's root. */
  api: string;
  config: ContractConfig;
  /** Whether `api` is the project's own contract. */
  isOwn: boolean;
  /** What it is compared with; undefined where there is nothing. */
  base: (() => Promise<Base>) | undefined;
  sources: () => Promise<SourceMap>;
  /** The bundled contract. */
  document: () => Promise<OpenApiDocument>;
  /** A service of this source that listens on a port of its own, with a company of its own for each caller. */
  service: () => Promise<Service>;
  /** As `2026-11-22`. */
  today: string;
  seed: number;
  /** Tells how far a check is. */
  progress: (text: string) => void;
}

/** The contract as it was. */
export interface Base {
  /** As it was asked for. */
  name: string;
  /** Path of its root, somewhere else. */
  api: string;
}

export interface Service {
  base: string;
  /** The `Authorization` header of somebody with these scopes. */
  tokenWith: (scopes: readonly string[] | 'all') => string;
}

/** One question to the contract and the code. Its file's name is its name. */
export interface Check {
  name: string;
  /** What it asks, for `--help`. */
  question: string;
  /** Whether it says something of other contracts, too. */
  forAny: boolean;
  /** @throws SkippedCheck where it does not apply; any other error where it could not find out */
  run: (context: CheckContext) => Promise<CheckReport>;
}

/** What came of a check. Only `passed` is a pass. */
export interface CheckOutcome extends CheckReport {
  check: string;
  state: 'passed' | 'failed' | 'not run' | 'could not run';
  seconds: number;
}
