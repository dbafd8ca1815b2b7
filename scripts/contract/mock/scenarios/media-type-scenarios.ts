import type { MockContract, MockOperation } from '../mock-contract.ts';
import { qualityOf } from '../negotiate.ts';
import type { Scenario } from './scenario.ts';

/** Returns a scenario for the media types of a contract that responses have only on request, if there are any. */
export const mediaTypeScenarios = ({ operations }: MockContract): Scenario[] =>
  operations.some((operation) => otherTypes(operation).length > 0)
    ? [
        {
          name: 'media-types',
          class: 'documented',
          title:
            'Responses have another documented media type, if the header Accept of the request admits it.',
          effect: 'values',
          legal: 'contract',
          alone: true,
          acceptOf: (operation, accept) => otherTypes(operation).find((type) => qualityOf(accept, type) > 0),
          change: (response) => response,
        },
      ]
    : [];

/** Returns the media types of successful responses that are not the usual ones, without ranges. */
const otherTypes = ({ examples }: MockOperation): string[] =>
  Object.entries(examples)
    .filter(([status]) => /^(2|default)/.test(status))
    .flatMap(([, { content }]) => content.slice(1).map(({ mediaType }) => mediaType))
    .filter((mediaType) => !mediaType.includes('*'));
