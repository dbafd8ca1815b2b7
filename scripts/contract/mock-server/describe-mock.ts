import { shellQuoted } from '../../lib/shell-text.ts';
import { mockToken, wrongCredentials } from '../mock/authenticate.ts';
import { credentialHeaders, credentialParameters } from '../mock/credential-headers.ts';
import type { Contract } from '../model/contract.ts';

/** Whether an operation of the contract has the path `/`. */
export const hasRoot = ({ operations }: Contract): boolean =>
  operations.some(({ path, basePaths }) => path === '/' && basePaths.includes(''));

/**
 * Returns a command that lists something; undefined if no operation does so without a parameter in its path.
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

/** Returns a text for who opens the mock in a browser: what it is, its token, its paths. @param address the URL of the mock */
export function describeMock(contract: Contract, address: string, isScoped: boolean): string {
  const { title = 'an API', version = '' } = { ...contract.document.info };
  const paths = contract.operations.map(
    ({ method, path, basePaths: [base = ''] }) => `  ${method.toUpperCase().padEnd(7)} ${base}${path}`,
  );
  const curl = curlOf(contract, address, isScoped);
  return [
    `This is the mock of ${title} ${version}. Send requests to its paths:`,
    paths.join('\n'),
    isScoped
      ? `Each request needs a token. ${mockToken} has all scopes.`
      : `It accepts any credentials, except ${wrongCredentials.token}.`,
    ...(curl === undefined ? [] : [`  ${curl}`]),
    'The contract: /openapi.json, /openapi.yaml',
    '',
  ].join('\n\n');
}
