import { parsedJson } from '../../../lib/parsed-json.ts';
import { fixedLength, pathShape, templateNames } from '../../../testing/requests/path-template.ts';
import type { Contract } from '../../model/contract.ts';
import type { ShellSamples } from '../code-figure.ts';
import { parameterProperty } from './documented-properties.ts';
import { type SampleParts, type SentValue, typedValue } from './sample-request.ts';
import type { SamplesOf } from './samples.ts';

/** Creates the samples of requests in guides. @param samplesOf creates those of an operation */
export const shellSamples =
  (contract: Contract, samplesOf: SamplesOf): ShellSamples =>
  (code) => {
    const sent = shellRequest(code);
    const [operation] = contract.operations
      .filter(({ method, path }) => method === sent?.method && pathShape(path).test(sent.path))
      .sort((one, other) => fixedLength(other.path) - fixedLength(one.path));
    if (!sent || !operation) return [];
    const { path, parameters } = operation;
    const inPath = pathShape(path).exec(sent.path)?.slice(1) ?? [];
    const names = templateNames(path);
    const parts: Pick<SampleParts, SentValue['in']> = { path: {}, query: {}, header: {} };
    for (const { in: place, name, value } of [
      ...inPath.map((value, at) => ({ in: 'path' as const, name: names[at] ?? '', value })),
      ...sent.values,
    ]) {
      const parameter = parameters.find((each) => each.in === place && each.name === name);
      // The types of the client have only the parameters of the contract.
      if (!parameter) return [];
      parts[place][name] = typedValue(value, parameterProperty(contract, parameter).type);
    }
    const { samples } = samplesOf(operation, (shown) => ({ ...shown, ...parts, body: sent.body }));
    return samples.map((sample) => (sample.label === 'curl' ? { ...sample, text: code } : sample));
  };

/** Reads the request of the only `curl` command in code, with the options that guides use. */
function shellRequest(code: string) {
  const [command = '', ...others] = code.replaceAll('\\\n', ' ').match(/^.*\bcurl\b.*$/gm) ?? [];
  const [, path, search] = /^curl [^|(]*?https?:\/\/[^/ ]+([^" ?]*)\??([^" ]*)[^|]*$/.exec(command) ?? [];
  if (path === undefined || others.length > 0) return undefined;
  const body = /--data '([^']*)'/.exec(command)?.[1];
  const headers = command.matchAll(/--header ["'](?!Authorization|Content-Type)([\w-]+): ([^"'$]+)["']/g);
  return {
    method: body === undefined ? 'get' : 'post',
    path,
    body: body === undefined ? undefined : parsedJson(body),
    values: [
      ...Array.from(new URLSearchParams(search), ([name, value]) => ({ in: 'query' as const, name, value })),
      ...Array.from(headers, ([, name = '', value = '']) => ({ in: 'header' as const, name, value })),
    ],
  };
}
