import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { applications } from './application.ts';

/** A request to an application. */
interface PlantedRequest {
  name: string;
  /** What violates the contract. */
  part: 'valid' | 'request' | 'response' | 'credentials';
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as `text/plain`. */
  text?: string;
  /** Sent as `multipart/form-data`. */
  form?: Record<string, string>;
  /** The expected status. */
  status: number;
  /** The operation that a line on standard error names. */
  logged?: string;
}

/** The requests that show what an application catches. */
export interface Violations {
  /** Environment variables of the application. */
  settings?: Record<string, string>;
  /** A request whose cookie the others send. */
  login?: Pick<PlantedRequest, 'method' | 'path' | 'body'>;
  /** Headers of all requests that do not set them. */
  headers?: Record<string, string>;
  requests: PlantedRequest[];
}

/** Returns the requests of an application, from its file. */
export const violationsOf = (name: string): Violations =>
  parse(readFileSync(join(applications, name, 'violations.yaml'), 'utf8'));

/** Logs in, if the application has sessions. @returns the headers of all requests */
export async function commonHeaders(base: string, { login, headers = {} }: Violations) {
  if (!login) return headers;
  const response = await fetch(base + login.path, {
    method: login.method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(login.body),
  });
  return { ...headers, Cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

/** Sends a request. @returns the status of the response */
export async function sendPlanted(
  base: string,
  common: Record<string, string>,
  { method, path, headers = {}, body, text, form }: PlantedRequest,
): Promise<number> {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = await fetch(base + path, {
    method,
    headers: { ...common, ...type, ...headers },
    body: form ? formOf(form) : (text ?? (body === undefined ? null : JSON.stringify(body))),
  });
  await response.arrayBuffer();
  return response.status;
}

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
