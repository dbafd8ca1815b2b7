import { isObject, listOf, objectOf } from '../../../server/lib/json-object.ts';

/** Maximum number of URLs of a server that are compared. */
const maxUrls = 1_000;

/**
 * Returns the URLs of servers: one for each combination of the listed values of their variables. Variables without a list can
 * have any value, so they stay in the URL, without their names.
 * @param servers the `servers` of a document, path or operation
 */
export const serverUrlsOf = (servers: unknown): string[] =>
  listOf(servers)
    .filter(isObject)
    .flatMap(({ url, variables }) =>
      Object.entries(objectOf(variables))
        .reduce<string[]>(
          (urls, [name, variable]) => {
            const listed = isObject(variable) ? listOf(variable.enum) : [];
            const values = listed.length > 0 ? listed.map(String) : ['{}'];
            const filled = urls.flatMap((each) => values.map((value) => each.replaceAll(`{${name}}`, value)));
            return filled.length > maxUrls ? urls : filled;
          },
          [String(url)],
        )
        .map((each) => (URL.parse(each)?.href ?? each).replace(/\/$/, '')),
    );
