import { isObject } from '../../../../server/lib/json-object.ts';

/** Whether a value is valid. Written by hand, so that a mistake of the contract's validator cannot hide itself. */
type Check = (value: unknown) => boolean;

const text =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'string' && [...value].length >= least && [...value].length <= most;
const integer =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
const oneOf =
  (...texts: string[]): Check =>
  (value) =>
    typeof value === 'string' && texts.includes(value);
const object =
  (required: Record<string, Check>, optional: Record<string, Check> = {}): Check =>
  (value) =>
    isObject(value) &&
    Object.keys(required).every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, each]) => {
      const known: Record<string, Check> = { ...required, ...optional };
      return Object.hasOwn(known, name) && known[name]?.(each) === true;
    });

const anything: Check = () => true;

export const collectionBody = (maxShelves: number): Check =>
  object(
    { name: text(1, 30) },
    {
      id: anything,
      created_at: anything,
      note: text(1, 60),
      access: oneOf('public', 'staff'),
      shelves: integer(0, maxShelves),
    },
  );

/** The other bodies that the archive accepts. It ignores read-only properties. */
export const bodies = {
  patch: (value: unknown) =>
    object({}, { name: text(1, 30), note: text(1, 60), shelves: integer(0, 500) })(value) &&
    isObject(value) &&
    Object.keys(value).length > 0,
  box: object({ label: text(1, 20) }, { id: anything }),
  object: object(
    {
      title: text(1, 30),
      size: object({ width: integer(1, 9999), unit: object({ symbol: oneOf('mm', 'cm', 'in') }) }),
    },
    { id: anything, year: integer(1, 2100) },
  ),
} satisfies Record<string, Check>;
