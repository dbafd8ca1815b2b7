import { expect, test } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { errorBody, errorMessages, errorResponse, validationError } from '../../server/errors.ts';

const { enum: codes, 'x-enum-varnames': names } = document.components.schemas.ErrorCode;

test('every error of the contract has its own code and its own name', () => {
  expect(new Set(codes).size).toBe(codes.length);
  expect(new Set(names).size).toBe(codes.length);
});

test('every error example in the contract has a code that matches the response status', () => {
  const responses = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap((operation) =>
      'responses' in operation ? Object.entries(operation.responses) : [],
    ),
  );
  let seen = 0;
  for (const [status, { $ref }] of responses as [string, { $ref: string }][]) {
    const response: object =
      Object.entries(document.components.responses).find(([name]) => $ref.endsWith(`/${name}`))?.[1] ?? {};
    for (const name of JSON.stringify(response).matchAll(/#\/components\/examples\/(\w+)/g)) {
      const example = Object.entries(document.components.examples).find(([each]) => each === name[1])?.[1]
        .value;
      if (typeof example !== 'object' || !('code' in example) || example.code === 20000) continue;
      expect(codes, name[1]).toContain(example.code);
      expect(Math.floor(Number(example.code) / 100), name[1]).toBe(Number(status));
      seen += 1;
    }
  }
  expect(seen).toBeGreaterThan(30);
});

test('every error response lists exactly the codes of its examples', () => {
  const examples: Record<string, { value?: unknown }> = document.components.examples;
  const errors = Object.entries(document.components.responses).flatMap(([name, response]) => {
    const text = JSON.stringify(response);
    const [, listed] = /"code":\{"enum":\[([\d,]+)\],"x-open-enum":true\}/.exec(text) ?? [];
    const shown = Array.from(text.matchAll(/#\/components\/examples\/(\w+)/g), ([, example = '']) =>
      Object(examples[example]?.value),
    );
    return text.includes('#/components/schemas/Error"') ? [{ name, listed, shown }] : [];
  });
  for (const { name, listed, shown } of errors)
    expect(listed?.split(',').map(Number), name).toEqual(shown.map(({ code }) => code).sort());
  expect(errors.length).toBeGreaterThan(20);
});

test('reports at most fifty invalid locations, each once and with a bounded length', () => {
  const problems = Array.from({ length: 60 }, (_, number) => ({ field: `/p${number}`, message: 'is wrong' }));
  const { fields, message } = validationError([{ field: '/p0', message: 'comes first' }, ...problems]);
  expect(fields.split(', ')).toHaveLength(50);
  expect(message).toMatch(/^\/p0 comes first; \/p1 is wrong;/);
  expect(
    validationError([{ field: `/${'x'.repeat(5_000)}`, message: 'is wrong' }]).fields.length,
  ).toBeLessThan(300);
});

test('an error response has the default message unless it sets another one', () => {
  expect(errorBody(errorResponse('pathNotFound'))).toEqual({
    code: 40402,
    message: errorMessages.pathNotFound,
    fields: '',
  });
  expect(errorBody(errorResponse('notFound', { message: 'No contact 7.', fields: 'path/id' }))).toEqual({
    code: 40401,
    message: 'No contact 7.',
    fields: 'path/id',
  });
});
