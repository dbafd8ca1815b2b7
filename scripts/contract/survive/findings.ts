import { escapePointer } from '../../../server/lib/json-text.ts';
import { shellQuoted, shellWord } from '../../lib/shell-text.ts';
import { toCurl } from '../../testing/requests/serialize.ts';
import type { Promises } from '../load/read-promises.ts';
import type { ScenarioInfo } from '../mock/mock-types.ts';
import type { Contract } from '../model/contract.ts';
import type { Operation } from '../model/operation.ts';
import type { ScenarioResult } from './narrow.ts';
import type { ProblemKind, ReceivedRequest } from './observations.ts';

/** Something that a client cannot handle, for reports. */
export interface SurviveFinding {
  /** An `error` fails the build. */
  level: 'error' | 'warning';
  scenario: string;
  class: ScenarioInfo['class'];
  /** A sentence about the server. */
  title: string;
  /** IDs of the operations whose responses were changed. */
  operations: readonly string[];
  /** JSON Pointers to the changed values; empty if others or none are the cause. */
  locations: readonly string[];
  kind: ProblemKind;
  /** A sentence about the client. */
  message: string;
  /** The consequence for a user. */
  consequence: string;
  /** Why the response is legal: a location in the contract, a promise, or a standard. */
  legal: string;
  /** The response that was sent; undefined if it is not known which one was the cause. */
  response?: { status: number; headers: Readonly<Record<string, string>>; body: string };
  /** Commands that send the same response again: the first one starts the server. */
  reproduce: readonly string[];
}

const consequences: Record<ProblemKind, string> = {
  'wrong value': 'A user sees or stores a wrong value, and nobody notices.',
  exception: 'A feature fails for users, although the service works as documented.',
  'time-out': 'A user waits, and gets neither a result nor an error.',
  'wrong request': 'The client works with a wrong value: later requests fail or have another effect.',
  'early retry': 'A service under load gets more load, and may reject the client for longer.',
  'unsafe retry': 'Something may be created or changed twice.',
  'endless retries': 'One failure causes load without end.',
  'lost status': 'Neither a user nor a developer can tell what failed.',
};

export interface FindingsContext {
  operations: readonly Operation[];
  locate: Contract['locate'];
  promises: Promises;
  /** The start of the command that sends a scenario again, such as `parley-contract survive --serve`. */
  command: string;
  /** URL of the server that the command starts. */
  serverUrl: string;
}

/** Converts the results of scenarios to findings, errors first. */
export async function findingsOf(
  results: readonly ScenarioResult[],
  context: FindingsContext,
): Promise<SurviveFinding[]> {
  const all = results.flatMap((result) =>
    result.problems.map(async ({ kind, message, request }): Promise<SurviveFinding> => {
      const { scenario, selection } = result;
      const { name, title, class: kindOfScenario } = scenario;
      const { operations = [], locations = [] } = selection;
      const involved = operations.length > 0 ? operations : [request?.operation ?? []].flat();
      return {
        level: kindOfScenario === 'intermediary' || kind === 'lost status' ? 'warning' : 'error',
        ...{ scenario: name, class: kindOfScenario, title, operations: involved, locations, kind, message },
        consequence: consequences[kind],
        legal: await legalityOf(result, request?.status, context),
        ...(request
          ? { response: { status: request.status, headers: request.headers, body: request.sent } }
          : {}),
        reproduce: [
          [
            context.command,
            `--scenario ${name}`,
            ...operations.map((id) => `--operation ${shellWord(id)}`),
            ...locations.map((location) => `--location ${shellQuoted(location)}`),
          ].join(' '),
          ...(request ? [curlOf(request.received, context.serverUrl)] : []),
        ],
      };
    }),
  );
  const findings = await Promise.all(all);
  return findings.toSorted((a, b) => Number(a.level === 'warning') - Number(b.level === 'warning'));
}

async function legalityOf(
  { scenario: { legal }, selection: { operations, locations } }: ScenarioResult,
  status: number | undefined,
  { operations: all, locate, promises }: FindingsContext,
): Promise<string> {
  if (legal !== 'contract')
    return 'standard' in legal
      ? legal.standard
      : `A promise of the API (${legal.promise}): ${promises[legal.promise] ?? ''}`;
  const operation = all.find(({ id }) => id === operations?.[0]);
  if (!operation) return 'The contract documents it.';
  const { file, line } = await locate(pointerTo(operation, status, locations?.[0]));
  return `The contract documents it: ${file}:${line}`;
}

/** Returns the JSON Pointer into the contract to a response, or to the value at a location of its body. */
function pointerTo({ pointer, responses }: Operation, status?: number, location?: string): string {
  const documented = Object.keys(responses);
  const key = documented.find((each) => each === String(status)) ?? documented[0] ?? '';
  const response = `${pointer}/responses/${key}`;
  if (location === undefined) return response;
  const type = responses[key]?.content[0]?.mediaType ?? '';
  return `${response}/content/${escapePointer(type)}/schema${location.split('/').slice(1).map(stepTo).join('')}`;
}

const stepTo = (token: string): string => (/^\d+$/.test(token) ? '/items' : `/properties/${token}`);

/** Headers that say who asks, but do not matter to the response. */
const unimportant = /^(accept|accept-.*|user-agent|sec-.*|cache-control|pragma|referer|origin)$/;

const curlOf = ({ method, url, headers, body }: ReceivedRequest, base: string): string =>
  toCurl(
    base,
    {
      method,
      target: url,
      headers: Object.fromEntries(headers.filter(([name]) => !unimportant.test(name))),
      body: body.length > 0 ? new TextDecoder().decode(body) : undefined,
    },
    ['authorization', 'cookie'],
  );
