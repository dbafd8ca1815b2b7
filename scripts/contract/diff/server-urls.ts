import { isObject, listOf, objectOf } from '../../../server/lib/json-object.ts';

/** Maximum number of URLs of a server that are compared. */
const maxUrls = 1_000;

/**
 * Returns the URLs of servers: one for each combination of the listed values of their variables. A variable without a list, or
 * with too many values to compare, stays in the URL as its list, because its name has no meaning.
 * @param servers the `servers` of a document, path or operation
 */
export const serverUrlsOf = (servers: unknown): string[] =>
  listOf(servers)
    .filter(isObject)
    .flatMap(({ url, variables }) =>
      Object.entries(objectOf(variables))
        .reduce<string[]>(
          (urls, [name, variable]) => {
            const listed = isObject(variable) ? listOf(variable.enum).map(String) : [];
            const isCompared = listed.length > 0 && urls.length * listed.length <= maxUrls;
            const values = isCompared ? listed : [`{${listed}}`];
            return urls.flatMap((each) => values.map((value) => each.replaceAll(`{${name}}`, () => value)));
          },
          [String(url)],
        )
        .map((each) => (URL.parse(each)?.href ?? each).replace(/\/$/, '')),
    );
