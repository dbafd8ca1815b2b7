import { expect, test } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { createContract } from '../../scripts/contract/model/contract.ts';
import { errorBody, errorMessages, errorResponse, validationError } from '../../server/errors.ts';

const { enum: codes, 'x-enum-varnames': names } = document.components.schemas.ErrorCode;

test('every error of the contract has its own code and its own name', () => {
  expect(new Set(codes).size).toBe(codes.length);
  expect(new Set(names).size).toBe(codes.length);
});

test('every error example in the contract has a code that matches the response status', () => {
  const shown = createContract(document).operations.flatMap(({ id, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      content.flatMap(({ examples }) =>
        examples.map(({ name, value }) => ({ id, name, status, code: Object(value).code })),
      ),
    ),
  );
  const errors = shown.filter(({ code }) => code !== undefined && code !== 20000);
  expect(errors.length).toBeGreaterThan(30);
  for (const { id, name, status, code } of errors) {
    expect(codes, `${id}: ${name}`).toContain(code);
    expect(Math.floor(code / 100), `${id}: ${name}`).toBe(Number(status));
  }
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
