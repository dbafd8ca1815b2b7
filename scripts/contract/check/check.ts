import type { ContractConfig, RunningService } from '../config.ts';
import type { Affected } from '../diff/affected-uses.ts';
import type { SourceMap } from '../load/source-map.ts';
import type { Contract, SourceLocation } from '../model/contract.ts';
import type { ConsumerImpact } from './consumer-impact.ts';
import type { CheckPolicy } from './policy.ts';

/** A problem, or a fact that a reader should know. */
export interface Finding {
  /** Stable identifier of the kind of finding, for programs. */
  rule: string;
  /** Only an `error` fails the check. */
  severity: 'error' | 'warning' | 'note';
  /** Whether the check could not decide if this is a problem. */
  undecided?: boolean;
  /** The problem. */
  message: string;
  /** The remedy. */
  fix: string;
  /** Path of the file, relative to the working directory. */
  file?: string | undefined;
  /** Line number, from 1. */
  line?: number | undefined;
  column?: number | undefined;
  /** For a change that breaks clients: the schema, the property, and the requests and responses that it concerns. */
  affected?: Affected;
  /** For a change that breaks clients: what it does to each known consumer. */
  consumers?: ConsumerImpact[];
  /** Details, one per line: a counterexample, a curl command. */
  details?: readonly string[];
}

/** Returns a finding that fails the check. */
export const errorFinding = (
  rule: string,
  message: string,
  fix: string,
  at: Partial<SourceLocation> = {},
): Finding => ({ rule, severity: 'error', message, fix, ...at });

/** The result of a check. */
export interface CheckReport {
  findings: Finding[];
  /** A summary of what was checked, such as `236 examples`. */
  summary: string;
}

/** Thrown by a check that does not apply or lacks its input. The check is reported, but does not count as passed. */
export class SkippedCheck extends Error {}

/** The input of checks. */
export interface CheckContext {
  /** Path of the contract's root. */
  api: string;
  config: ContractConfig;
  /** Whether `api` is the project's own contract. */
  isOwn: boolean;
  /** The project's requirements for its contract. */
  policy: CheckPolicy;
  /** Returns the old contract; undefined if no base was found. */
  base: (() => Promise<Base>) | undefined;
  /** The source files of the contract, even if they have mistakes. */
  sources: () => Promise<SourceMap>;
  contract: () => Promise<Contract>;
  /** Starts the service from this source. Each call starts a new process with its own port and database. */
  service: () => Promise<RunningService>;
  /** The current date, such as `2026-11-22`. */
  today: string;
}

/** The old contract. */
export interface Base {
  /** The name for messages: a file, a revision, or the merge base with main. */
  name: string;
  /** Path of the contract's root file. For a revision, the file is in a temporary folder. */
  api: string;
  /** The folder of the project, which the contract may refer to. */
  project?: string;
}

/** A check of the contract and the code. Its module in `checks/` has the same name. */
export interface Check {
  name: string;
  /** The question that the check answers, for `--help`. */
  question: string;
  /** Whether the check also applies to contracts of other services. */
  forAny: boolean;
  /** Whether the check is turned on for a project (default: always). */
  isOn?: (project: Pick<CheckContext, 'policy' | 'config' | 'api'>) => boolean;
  /** @throws SkippedCheck if it does not apply; any other error if it could not run */
  run: (context: CheckContext) => Promise<CheckReport>;
}

/** The outcome of a check. A check that was not run or could not run has not passed. */
export interface CheckOutcome extends CheckReport {
  check: string;
  state: 'passed' | 'failed' | 'not run' | 'could not run';
  seconds: number;
}
