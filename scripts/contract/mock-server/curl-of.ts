import { shellQuoted } from '../../lib/shell-text.ts';
import { mockToken } from '../mock/authenticate.ts';
import { credentialHeaders, credentialParameters } from '../mock/credential-headers.ts';
import type { Contract } from '../model/contract.ts';

/**
 * Returns a curl command with the first GET operation that has no path parameters, or undefined if each has some.
 * @param address the URL of the mock
 * @param isScoped whether the mock accepts only mock tokens
 */
export function curlOf(contract: Contract, address: string, isScoped: boolean): string | undefined {
  const list = contract.operations.find(({ method, path }) => method === 'get' && !path.includes('{'));
  if (!list) return undefined;
  const [schemes = []] = list.securitySchemes;
  const token = isScoped ? mockToken : 'token';
  const options = credentialHeaders(schemes, token).map(
    ({ name, value }) => `-H ${shellQuoted(`${name}: ${value}`)} `,
  );
  const query = String(new URLSearchParams(credentialParameters(schemes).map((name) => [name, token])));
  const url = `${address}${contract.basePaths[0] ?? ''}${list.path}${query && `?${query}`}`;
  return `curl ${options.join('')}${shellQuoted(url)}`;
}
