import type { Contract } from '../../model/contract.ts';
import type { Operation, Parameter, ResponseHeader } from '../../model/operation.ts';
import { parameterProperty } from './documented-properties.ts';
import type { Property } from './property-list.ts';

/** The headers that most operations have. Their descriptions stand at the end of each page. */
export interface CommonHeaders {
  isCommon: (parameter: Pick<Parameter, 'in' | 'name'>) => boolean;
  isCommonInResponses: (name: string) => boolean;
  /** Describes the common headers of an operation and its responses. */
  of: (operation: Operation) => Property[];
}

/** Counts the headers of a contract. A header is common if more than half of the operations, or of the responses, have it. */
export function commonHeaders(contract: Contract): CommonHeaders {
  const { operations } = contract;
  const responses = operations.flatMap((operation) => Object.values(operation.responses));
  const inRequests = frequent(
    operations.map(({ parameters }) => parameters.filter((each) => each.in === 'header')),
  );
  const inResponses = frequent(responses.map(({ headers }) => headers));
  const isCommon: CommonHeaders['isCommon'] = (parameter) =>
    parameter.in === 'header' && inRequests.has(parameter.name.toLowerCase());
  const isCommonInResponses = (name: string) => inResponses.has(name.toLowerCase());
  return {
    isCommon,
    isCommonInResponses,
    of({ parameters, responses }) {
      const headers = new Map<string, Pick<ResponseHeader, 'name' | 'node' | 'required'>>(
        Object.values(responses).flatMap((response) =>
          response.headers
            .filter(({ name }) => isCommonInResponses(name))
            .map((header) => [header.name.toLowerCase(), { ...header, required: false }]),
        ),
      );
      for (const parameter of parameters.filter(isCommon))
        headers.set(parameter.name.toLowerCase(), parameter);
      return [...headers.values()].map((header) => parameterProperty(contract, header));
    },
  };
}

/** Returns the names, in lower case, that are in more than half of the lists. */
function frequent(lists: readonly (readonly { name: string }[])[]): Set<string> {
  const counts = new Map<string, number>();
  for (const name of lists.flatMap((list) => [...new Set(list.map((each) => each.name.toLowerCase()))]))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > lists.length / 2).map(([name]) => name));
}
