import type { FieldError } from '../lib/field-error.ts';
import type { CompiledOperation, SchemaViolation } from './operation.ts';

/** Converts schema violations to the field errors of a response (D26). */
export function toFieldErrors(operation: CompiledOperation, findings: SchemaViolation[]): FieldError[] {
  return findings.map((finding) => ({
    field: fieldOf(operation, finding.pointer),
    message: wordsFor(finding),
  }));
}

const locations = { query: 'query', params: 'path', headers: 'header', cookies: 'cookie' } as const;

function fieldOf({ parameters }: CompiledOperation, pointer: string): string {
  const [, part = '', ...rest] = pointer.split('/');
  if (part === 'body') return rest.length > 0 ? `/${rest.join('/')}` : 'body';
  const location = Object.hasOwn(locations, part) ? locations[part as keyof typeof locations] : undefined;
  if (!location) return '';
  const [name = '', ...inside] = rest;
  const documented = parameters.find((p) => p.in === location && p.name.toLowerCase() === name.toLowerCase());
  return [location, documented?.name ?? name, ...inside].join('/');
}

function wordsFor({ keyword, message }: SchemaViolation): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return 'is not allowed';
  return message;
}
