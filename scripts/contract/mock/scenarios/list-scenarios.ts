import { limitNames } from '../cursor-page.ts';
import type { MockOperation } from '../mock-contract.ts';
import { alike, headerOf } from './scenario.ts';

/** Scenarios of lists with several pages. Each page has one item, so that there is a next one. */
export const listScenarios = alike({ class: 'documented', effect: 'values' }, [
  {
    name: 'small-pages',
    title: 'Each page of a list has one item, and leads to the next page.',
    legal: { standard: 'RFC 8288, section 3' },
    urlOf: withOneItem,
    change: (response, { operation }) => (limitOf(operation) === undefined ? undefined : response),
  },
  {
    name: 'new-links',
    class: 'evolution',
    title:
      'The header Link of a page with one item begins with a relation that the contract does not document.',
    legal: { standard: 'RFC 8288, section 3' },
    urlOf: withOneItem,
    change(response) {
      const [name, value] = headerOf(response.headers, 'link') ?? [];
      if (name === undefined) return undefined;
      const link = `</added-later>; title="a, b"; rel="describedby added-later", ${value}`;
      return { ...response, headers: { ...response.headers, [name]: link } };
    },
  },
]);

function withOneItem(operation: MockOperation, url: string): string {
  const limit = limitOf(operation);
  if (limit === undefined) return url;
  const target = new URL(url, 'http://mock');
  target.searchParams.set(limit, '1');
  return target.pathname + target.search;
}

/**
 * Returns the parameter that limits the number of items, if the operation documents the header `Link`, or if its bodies have
 * cursors.
 */
const limitOf = ({ parameters, responses, examples }: MockOperation): string | undefined => {
  const hasCursor = Object.values(examples).some(({ content: [first] }) => first?.facts?.cursor?.isFree);
  const hasLink = Object.values(responses).some(({ headers }) =>
    headers.some(({ name }) => name.toLowerCase() === 'link'),
  );
  return hasLink || hasCursor
    ? parameters.query.parameters.find(({ name }) => limitNames.includes(name))?.name
    : undefined;
};
