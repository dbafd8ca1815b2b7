import { beforeAll, describe, expect, test } from 'vitest';
import { isObject } from '../../../../server/lib/json-object.ts';
import { sendUnchanged } from '../../../support/api-client.ts';
import { readYaml, responses, writeDocument } from '../../../support/documents.ts';
import { type Respond, serveMock, serveRoutes, serveTyped } from '../../../support/implementations.ts';
import { afterAllTests } from '../../../support/temporary-folder.ts';

interface ReportedRequest {
  /** The method and the path. */
  send: string;
  headers?: Record<string, string | string[]>;
  /** Sent as JSON; texts are sent unchanged. */
  body?: unknown;
  /** Text of a JSON body. */
  json?: string;
  /** Text of a URL-encoded form. */
  form?: string;
  /** Parts of a multipart form. */
  parts?: { name: string; filename?: string; type?: string; body: string }[];
  /** Default: 200. */
  status?: number | number[] | 'invalid';
  seen?: unknown;
  /** A pattern of the response's text. */
  text?: string;
  /** Headers of the response. */
  head?: Record<string, string>;
}

const locations = ['query', 'path', 'header', 'cookie'] as const;
const engineNames = ['typed', 'middleware', 'mock'] as const;

interface ReportedOperation extends Partial<Record<(typeof locations)[number], Record<string, object>>> {
  body?: unknown;
  form?: unknown;
  multipart?: unknown;
  encoding?: object;
  returns?: object;
  /** The schema of its error response 422. */
  rejects?: object;
  security?: unknown;
}

interface Report {
  source: string;
  engines?: readonly (typeof engineNames)[number][];
  openapi?: string;
  swagger?: string;
  servers?: object[];
  /** Operations by method and path, in the order of the document. */
  operations: Record<string, ReportedOperation>;
  schemas?: object;
  components?: object;
  /** The body of every response, if it is not what was received. */
  responds?: unknown;
  valid?: string[];
  invalid?: string[];
  /** JSON bodies, by operation. */
  bodies?: Record<string, { valid?: unknown[]; invalid?: unknown[] }>;
  requests?: ReportedRequest[];
}

const reports: Record<string, Report> = {
  ...readYaml(import.meta.dirname, 'reports.yaml'),
  ...readYaml(import.meta.dirname, 'own-cases.yaml'),
};

const requestsOf = ({ valid = [], invalid = [], bodies = {}, requests = [] }: Report): ReportedRequest[] => [
  ...valid.map((send) => ({ send })),
  ...invalid.map((send) => ({ send, status: 'invalid' as const })),
  ...Object.entries(bodies).flatMap(([send, all]) => [
    ...(all.valid ?? []).map((body) => ({ send, body })),
    ...(all.invalid ?? []).map((body) => ({ send, body, status: 'invalid' as const })),
  ]),
  ...requests,
];

function operationOf(operationId: string, reported: ReportedOperation) {
  const {
    query,
    path,
    header,
    cookie,
    body,
    form,
    multipart,
    encoding,
    returns = {},
    rejects,
    ...rest
  } = reported;
  const given = { query, path, header, cookie };
  const parameters = locations.flatMap((location) =>
    Object.entries(given[location] ?? {}).map(([name, described]) => ({
      ...{ name, in: location, ...(location === 'path' ? { required: true } : {}) },
      ...('schema' in described || 'content' in described ? described : { schema: described }),
    })),
  );
  const contents = {
    'application/json': body,
    'application/x-www-form-urlencoded': form,
    'multipart/form-data': multipart,
  };
  const [type, schema] = Object.entries(contents).find(([, each]) => each !== undefined) ?? [];
  const rejections = { 401: { description: 'No.' }, 403: { description: 'No.' } };
  return {
    operationId,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(type ? { requestBody: { required: true, content: { [type]: { schema, encoding } } } } : {}),
    responses: {
      ...responses(returns, 200),
      ...(reported.security ? rejections : {}),
      ...(rejects ? responses(rejects, 422) : {}),
    },
    ...rest,
  };
}

/** Replaces the names of schemas by references to them. */
const withReferences = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withReferences);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) =>
      name === '$ref' && /^\w+$/.test(String(value))
        ? [name, `#/components/schemas/${value}`]
        : [name, withReferences(value)],
    ),
  );
};

/** Completes the document of a report. */
function documentOf({
  swagger,
  openapi = '3.1.0',
  servers,
  operations,
  schemas,
  components = { schemas },
}: Report) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, operation] of Object.entries(operations)) {
    const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(name) ?? [];
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(name, operation) };
  }
  const info = { title: 'Case', version: '1' };
  // Swagger 2.0 has no object for its components.
  return withReferences(
    swagger === undefined
      ? { openapi, info, servers, paths, components }
      : { swagger, info, paths, ...components },
  );
}

/** Describes values that JSON cannot express. */
function plain(value: unknown): unknown {
  if (value instanceof File) return { file: value.name, size: value.size, type: value.type };
  if (value instanceof Uint8Array) return { bytes: value.length };
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}

const servers = { typed: serveTyped, middleware: serveRoutes, mock: serveMock };

/** Returns the text and the media type of a body. */
function writeBody({ body, json, form, parts }: ReportedRequest): [text?: string, type?: string] {
  if (json !== undefined) return [json, 'application/json'];
  if (form !== undefined) return [form, 'application/x-www-form-urlencoded'];
  if (parts !== undefined) {
    const written = parts.map(({ name, filename, type, body: content }) => {
      const file = filename === undefined ? '' : `; filename="${filename}"`;
      const head = `Content-Disposition: form-data; name="${name}"${file}\r\n`;
      return `--B\r\n${head}${type ? `Content-Type: ${type}\r\n` : ''}\r\n${content}\r\n`;
    });
    return [`${written.join('')}--B--\r\n`, 'multipart/form-data; boundary=B'];
  }
  if (body === undefined) return [];
  return typeof body === 'string' ? [body] : [JSON.stringify(body), 'application/json'];
}

function sendReported(base: string, reported: ReportedRequest) {
  const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(reported.send) ?? [];
  const [body, type] = writeBody(reported);
  const headers = { ...(type ? { 'content-type': type } : {}), ...reported.headers };
  return sendUnchanged(base, method, path, { headers, body });
}

/** Whether a value contains another one. */
const includes = (value: unknown, part: unknown): boolean =>
  isObject(part)
    ? isObject(value) &&
      Object.entries(part).every(([name, each]) =>
        each === '__absent__' ? value[name] === undefined : includes(value[name], each),
      )
    : JSON.stringify(value) === JSON.stringify(part);

const cases = Object.entries(reports).flatMap(([name, report]) =>
  (report.engines ?? engineNames).map((engine) => ({ engine, name, report, source: report.source })),
);

describe.each(cases)('$engine: $name ($source)', ({ engine, name, report }) => {
  let base: string;
  beforeAll(async () => {
    const api = await writeDocument(documentOf(report), afterAllTests);
    const respond: Respond = ({ path, query, headers, body }) => ({
      status: 200,
      body: report.responds ?? plain({ path, query, headers, body }),
    });
    base = await servers[engine](api, afterAllTests, respond);
  });

  test.each(requestsOf(report))('%j', async (reported) => {
    const { status, headers, text } = await sendReported(base, reported);
    const expected = reported.status ?? 200;
    expect(expected === 'invalid' ? [400, 422] : [expected].flat(), text).toContain(status);
    if (reported.text !== undefined) expect(text).toMatch(new RegExp(reported.text));
    expect(headers).toMatchObject(reported.head ?? {});
    // A mock responds with examples, not with what it receives.
    if (reported.seen !== undefined && (engine !== 'mock' || name === 'mock-prefer-missing'))
      expect(includes(JSON.parse(text), reported.seen), text).toBe(true);
  });
});
