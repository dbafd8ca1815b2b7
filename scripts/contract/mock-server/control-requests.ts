import { hash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ignoredPreferences, preferencesIn, waitSecondsIn } from '../mock/prefer.ts';
import type { Contract } from '../model/contract.ts';
import { createOperationLookup, type FoundOperation } from './find-operation.ts';
import type { ScenarioState } from './scenarios.ts';

/** How the mock treats every request. */
export interface RequestControls {
  /** Delay of each response, in milliseconds (default 0). */
  delayMs?: number;
  /** Share of requests that fail with a documented server error, from 0 (default) to 1. */
  failureRate?: number;
  /** Seed of the random failures (default 1). */
  seed?: number;
  /** Changes the responses of operations. */
  scenarios?: ScenarioState | undefined;
}

/** Returns a number from 0 to 1 that depends only on a text. */
const chanceOf = (text: string): number => hash('sha256', text, 'buffer').readUInt32LE() / 2 ** 32;

const ownPreferences = ['code', 'example', 'dynamic', 'seed', 'wait', 'scenario'];

/**
 * Creates middleware in front of a mock. It delays responses (`Prefer: wait=2`), makes requests fail at random, and reports
 * preferences without effect in the header `Mock-Ignored-Preferences`.
 */
export function controlRequests(
  contract: Contract,
  { delayMs = 0, failureRate = 0, seed = 1, scenarios }: RequestControls,
): RequestHandler {
  const operationOf = createOperationLookup(contract);
  let requests = 0;
  return async (req: Request, res: Response, next: NextFunction) => {
    const given = [req.headers.prefer ?? []].flat().join(', ');
    reportIgnored(res, given);
    const operation = operationOf(req.method, req.path);
    const fromScenario =
      operation && scenarios?.preferFor(operation.id, preferencesIn(given).get('scenario'));
    // The first preference of the same name counts, so the request's own one wins.
    const prefer = [given, fromScenario ?? []].flat().filter(Boolean).join(', ');
    if (fromScenario !== undefined) req.headers.prefer = prefer;
    requests += 1;
    // The same seed makes the same requests of a sequence fail.
    const isFailing = chanceOf(`${seed} ${requests}`) < failureRate;
    const status = isFailing ? failureOf(operation) : undefined;
    if (status !== undefined) req.headers.prefer = `code=${status}`;
    await wait(delayMs + 1_000 * waitSecondsIn(prefer));
    next();
  };
}

/** Sets `Mock-Ignored-Preferences` when the response is sent: only then is it known which preferences were applied. */
function reportIgnored(res: Response, prefer: string): void {
  if (prefer === '') return;
  const writeHead = res.writeHead.bind(res) as (...args: unknown[]) => Response;
  res.writeHead = ((...args: unknown[]) => {
    const applied = String(headerOf(res, args, 'preference-applied') ?? '');
    const ignored = ignoredPreferences(prefer, ownPreferences, applied);
    if (ignored.length > 0) res.setHeader('Mock-Ignored-Preferences', ignored.join(', '));
    return writeHead(...args);
  }) as typeof res.writeHead;
}

/** Returns a header that was set before, or is an argument of `writeHead`. */
function headerOf(res: Response, args: unknown[], name: string): unknown {
  const given = args.find((each) => typeof each === 'object' && each !== null) ?? {};
  const found = Object.entries(given).find(([each]) => each.toLowerCase() === name);
  return found?.[1] ?? res.getHeader(name);
}

/** Returns the server error that an operation documents, preferably 503. */
function failureOf(operation: FoundOperation | undefined): string | undefined {
  const failures = (operation?.statuses ?? []).filter((status) => /^5\d\d$/.test(status));
  return failures.includes('503') ? '503' : failures[0];
}
