import type { MockScenario, PromiseName, ScenarioInfo } from '../../mock/mock-types.ts';
import { bodyScenarios } from '../../mock/scenarios/body-scenarios.ts';
import { httpScenarios } from '../../mock/scenarios/http-scenarios.ts';
import type { Contract } from '../../model/contract.ts';
import { narrow, type ScenarioResult } from '../narrow.ts';
import type { Problem } from '../problem.ts';
import type { SurviveReport } from '../survive.ts';
import type { EventMessage } from './event-scenario.ts';
import { eventScenarios } from './event-scenarios.ts';
import { type ExampleEvent, exampleEventsOf } from './example-events.ts';
import { type EventResponse, type Receiver, sendEvent } from './send-event.ts';

export interface ReceiverOptions {
  contract: Contract;
  promises: readonly PromiseName[];
  receiver: Receiver;
  /** Names of the scenarios to run (default: all). */
  only: readonly string[];
  onProgress?: (text: string) => void;
}

interface RunnableScenario {
  info: ScenarioInfo;
  change: (
    event: ExampleEvent,
    selection: MockScenario,
  ) => { message: EventMessage; changed: readonly string[] } | undefined;
}

/** Returns the scenarios for receivers of events. */
export const scenariosOfReceivers = (promises: readonly PromiseName[]): ScenarioInfo[] =>
  runnable(promises, true).map(({ info }) => info);

/**
 * Sends events to a receiver: the examples of the contract, and then those of each scenario.
 * @throws Error if the contract has no event with an example, or the receiver does not accept the examples
 */
export async function surviveReceiver({
  contract,
  promises,
  receiver,
  only,
  onProgress,
}: ReceiverOptions): Promise<SurviveReport> {
  const startedAt = performance.now();
  const events = exampleEventsOf(contract, promises);
  if (events.length === 0)
    throw new Error('The contract has no webhook with a JSON example in its body or in a query parameter.');
  for (const { operation, message } of events) {
    const [response] = await sendEvent(receiver, operation.method.toUpperCase(), message);
    if (response === undefined || response.status >= 300)
      throw new Error(
        `The receiver does not accept the example of ${operation.id}, so the scenarios would say nothing: ${response ? `it responded ${response.status} ${response.body.slice(0, 200)}` : 'it did not respond in time'}`,
      );
  }
  const baseline = {
    durationMs: performance.now() - startedAt,
    requests: events.length,
    operations: events.map(({ operation }) => operation.id),
    rejected: [],
  };
  const results: ScenarioResult[] = [];
  const notApplicable: string[] = [];
  for (const scenario of runnable(promises, receiver.secret !== undefined)) {
    const { info } = scenario;
    if (only.length > 0 && !only.includes(info.name)) continue;
    onProgress?.(info.name);
    const applicable = new Map(
      events.flatMap((event): [string, readonly string[]][] => {
        const changed = scenario.change(event, { name: info.name })?.changed;
        return changed ? [[event.operation.id, changed]] : [];
      }),
    );
    if (applicable.size === 0) notApplicable.push(info.name);
    else
      results.push(
        ...(await narrow(info, applicable, (selection) =>
          runScenario(scenario, events, receiver, selection),
        )),
      );
  }
  return { baseline, results, notApplicable };
}

async function runScenario(
  { info, change }: RunnableScenario,
  events: readonly ExampleEvent[],
  receiver: Receiver,
  selection: MockScenario,
): Promise<Problem[]> {
  const messages = events
    .filter(({ operation }) => selection.operations?.includes(operation.id) !== false)
    .flatMap((event) => {
      const message = change(event, selection)?.message;
      return message ? [{ operation: event.operation, message }] : [];
    });
  const problems: Problem[] = [];
  for (const [index, { operation, message }] of messages.entries()) {
    // How a receiver reads slow bodies does not depend on the event.
    if (message.delivery === 'slow' && index > 0) break;
    const { headers, payload } = message;
    for (const response of await sendEvent(receiver, operation.method.toUpperCase(), message)) {
      const problem = judgeResponse(info, response);
      const status = response?.status ?? 0;
      const request = { operation: operation.id, status, headers, sent: payload.slice(0, 2_000) };
      if (problem) problems.push({ ...problem, request });
    }
  }
  return problems.slice(0, 1);
}

function judgeResponse({ effect }: ScenarioInfo, response: EventResponse): Problem | undefined {
  if (!response) return { kind: 'time-out', message: 'The receiver did not respond in time.' };
  const isAccepted = response.status < 300;
  const text = `${response.status}${response.body && ` ${response.body.slice(0, 200)}`}`;
  if (effect === 'error')
    return isAccepted
      ? { kind: 'accepted forgery', message: `The receiver accepted the event: it responded ${text}.` }
      : undefined;
  return isAccepted
    ? undefined
    : { kind: 'exception', message: `The receiver did not accept a legal event: it responded ${text}.` };
}

/** @param hasSecret whether events are signed */
function runnable(promises: readonly PromiseName[], hasSecret: boolean): RunnableScenario[] {
  const ofBodies = [...bodyScenarios, ...httpScenarios].filter(({ preferFor }) => !preferFor);
  return [
    ...ofBodies.map(
      ({ change, preferFor, urlOf, requestBodyOf, ...info }): RunnableScenario => ({
        info,
        change({ message, context }, { locations }) {
          const isSelected = (pointer: string) => locations?.includes(pointer) !== false;
          const changed = change({ ...message, status: 0, changed: [] }, { ...context, isSelected });
          const payload = String(changed?.payload);
          // A query parameter has no media type, and arrives whole.
          if (!changed || (message.parameter && payload === message.payload)) return undefined;
          return { message: { ...message, ...changed, payload }, changed: changed.changed };
        },
      }),
    ),
    ...eventScenarios(promises)
      .filter(({ needsSecret }) => hasSecret || !needsSecret)
      .map(
        ({ change, needsSecret, ...info }): RunnableScenario => ({
          info,
          change({ message, operation }) {
            const changed = change(message, operation.path);
            return changed && { message: changed, changed: [] };
          },
        }),
      ),
  ];
}
