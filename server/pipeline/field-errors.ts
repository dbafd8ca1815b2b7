import type { Problem } from '../errors.ts';
import type { Finding, JudgedOperation } from './operation.ts';

/** What the judge found, in the words and places of an error (D26). */
export function problemsFrom(operation: JudgedOperation, findings: Finding[]): Problem[] {
  return findings.map((finding) => ({
    field: fieldOf(operation, finding.pointer),
    message: wordsFor(finding),
  }));
}

const places = { query: 'query', params: 'path', headers: 'header', cookies: 'cookie' } as const;

function fieldOf({ parameters }: JudgedOperation, pointer: string): string {
  const [, part = '', ...rest] = pointer.split('/');
  if (part === 'body') return rest.length > 0 ? `/${rest.join('/')}` : 'body';
  const place = part in places ? places[part as keyof typeof places] : undefined;
  if (!place) return '';
  const [name = '', ...inside] = rest;
  const documented = parameters.find((p) => p.in === place && p.name.toLowerCase() === name.toLowerCase());
  return [place, documented?.name ?? name, ...inside].join('/');
}

function wordsFor({ keyword, message }: Finding): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return 'is not known here';
  return message;
}
