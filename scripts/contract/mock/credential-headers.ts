import type { SecurityScheme } from '../model/operation.ts';

/** Returns the headers with the credentials of an operation. @param token what is sent for each scheme */
export const credentialHeaders = (
  schemes: readonly SecurityScheme[],
  token: string,
): { name: string; value: string }[] =>
  schemes.flatMap(({ type, in: location, name = '', scheme = 'bearer' }) => {
    if (type === 'mutualTLS' || location === 'query') return [];
    if (location === 'cookie') return [{ name: 'Cookie', value: `${name}=${token}` }];
    if (type === 'apiKey') return [{ name, value: token }];
    const isBasic = type === 'http' && scheme.toLowerCase() === 'basic';
    return [{ name: 'Authorization', value: isBasic ? `Basic ${btoa(`user:${token}`)}` : `Bearer ${token}` }];
  });

/** Returns the names of the query parameters with the API keys of an operation. */
export const credentialParameters = (schemes: readonly SecurityScheme[]): string[] =>
  schemes.flatMap(({ type, in: location, name = '' }) =>
    type === 'apiKey' && location === 'query' ? [name] : [],
  );
