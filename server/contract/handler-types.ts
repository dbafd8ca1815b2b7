/**
 * Strict types of handlers, for any contract and the types that `npm run generate` derives from it. A handler gets a
 * typed input. It does not compile if it returns a response that the operation does not document.
 */

/** Removes index signatures. */
type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type Within<Class extends string> = `${Class}${Digit}${Digit}` extends `${infer N extends number}`
  ? N
  : never;

/** `200` stands for itself, `'4XX'` for every status of its class, `'default'` for any status. */
type StatusOf<Key> = Key extends number
  ? Key
  : Key extends `${infer Class}XX`
    ? Within<Class>
    : Key extends 'default'
      ? number
      : never;

/** Headers that handlers may return without documenting them. */
type General = 'Cache-Control' | 'ETag' | 'Last-Modified' | 'Link' | 'Vary';
type Undocumented<Headers> = Partial<Record<Exclude<General, keyof Headers>, string>>;

/** @typeParam Supplied the headers that are added to the responses of handlers */
type HeadersPart<Headers, Supplied, Own = Omit<Named<Headers>, Supplied & string> & Undocumented<Headers>> =
  Record<never, never> extends Own ? { headers?: Own } : { headers: Own };

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never;

/** Lets compiler messages list the properties of a type, instead of the types from which it is composed. */
type Flat<T> = { [K in keyof T]: T[K] };

/** A response names its media type only if the operation documents more than one. */
type BodyPart<Content> = [Content] extends [never]
  ? { body?: undefined }
  : true extends IsUnion<keyof Content>
    ? { [Type in keyof Content]: { mediaType: Type; body: Content[Type] } }[keyof Content]
    : { body: Content[keyof Content] };

type ResponseAt<Key, Response, Supplied> = Flat<
  { status: StatusOf<Key> } & HeadersPart<
    Response extends { headers: infer Headers } ? Headers : Record<never, never>,
    Supplied
  > &
    BodyPart<Response extends { content: infer Content } ? Content : never>
>;

/** An error response: the pipeline makes its body. Its status must be documented. */
interface ErrorResponseWith<Status> extends Record<'errorName' | 'message' | 'fields', string> {
  status: Status;
  headers: Record<string, string>;
}

type Responses<Operation> = Operation extends { responses: infer R } ? R : never;

/**
 * A union of the responses that an operation documents.
 * @typeParam Supplied headers that are added to them, such as those that `authenticate` returns
 */
export type ResponseOf<Types, Id extends keyof Types, Supplied = 'X-Request-Id'> =
  | {
      [Key in keyof Responses<Types[Id]>]: ResponseAt<Key, Responses<Types[Id]>[Key], Supplied>;
    }[keyof Responses<Types[Id]>]
  | ErrorResponseWith<StatusOf<keyof Responses<Types[Id]>>>;

type Parameters<Operation, Place extends string> = Operation extends {
  parameters: { [K in Place]?: infer P };
}
  ? [NonNullable<P>] extends [never]
    ? Record<never, never>
    : NonNullable<P>
  : Record<never, never>;

type FilledIn<Query, Defaults extends string> = Omit<Query, Defaults> &
  Required<Pick<Query, Defaults & keyof Query>>;

/** Header names are in lower case at run time. */
type LowerCase<Headers> = { [K in keyof Headers as Lowercase<K & string>]: Headers[K] };

type BodyOf<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? Content[keyof Content]
  : Operation extends { requestBody?: { content: infer Content } }
    ? Content[keyof Content] | undefined
    : undefined;

/** Undefined if the operation needs no credentials; optional if credentials are optional. */
type CallerOf<Security extends readonly unknown[], Caller> = Security extends readonly []
  ? undefined
  : Record<never, never> extends Security[number]
    ? Caller | undefined
    : Caller;

/**
 * The input of a handler, and `req.contract` of a route: validated, coerced, with the defaults of query
 * parameters filled in.
 */
export interface InputOf<Types, Table extends TableOf<Types>, Id extends keyof Types, Caller = undefined> {
  path: Parameters<Types[Id], 'path'>;
  query: FilledIn<Parameters<Types[Id], 'query'>, Table[Id]['defaults'][number]>;
  headers: LowerCase<Parameters<Types[Id], 'header'>>;
  body: BodyOf<Types[Id]>;
  caller: CallerOf<Table[Id]['security'], Caller>;
  requestId: string;
}

/** The parts of the operation table that the types use. */
export type TableOf<Types> = {
  readonly [Id in keyof Types]: { defaults: readonly string[]; security: readonly unknown[] };
};

/** A handler for every operation of a contract: `{…} satisfies ApiOf<OperationTypes, typeof operations, …>`. */
export type ApiOf<Types, Table extends TableOf<Types>, Caller, Dependencies, Supplied = 'X-Request-Id'> = {
  /** Takes a validated input and its dependencies, and returns one of the documented responses. */
  [Id in keyof Types]: (
    input: InputOf<Types, Table, Id, Caller>,
    dependencies: Dependencies,
  ) => Promise<ResponseOf<Types, Id, Supplied>>;
};
