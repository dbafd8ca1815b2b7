import type { ParamsOption, RequestBodyOption } from 'openapi-fetch';
import type { ErrorStatus, OkStatus, RequiredKeysOf } from 'openapi-typescript-helpers';
import type { components, paths } from '../generated/types.ts';
import type { ParleyError } from './errors.ts';

/** The contract's paths as `openapi-typescript` writes them, for libraries that take this type. */
export type { paths } from '../generated/types.ts';

/** The same type without references to `components`, so that editors show `string | null` for a property. */
export type Readable<Type> = Type extends object ? { [Key in keyof Type]: Readable<Type[Key]> } : Type;

/** The contract's paths, with `Failure` as the type of error responses. */
export type PathsWith<Failure> = {
  [Path in keyof paths]: { [Method in keyof paths[Path]]: WithFailure<paths[Path][Method], Failure> };
};

/** The contract's paths, with `ParleyError` as the type of error responses. */
export type ParleyPaths = PathsWith<ParleyError>;

type WithFailure<Operation, Failure> = Operation extends { responses: infer Responses }
  ? Readable<Omit<Operation, 'responses'>> & {
      responses: {
        [Status in keyof Responses]: Status extends ErrorStatus
          ? { content: { 'application/json': Failure } }
          : Readable<Responses[Status]>;
      };
    }
  : Operation;

export type Method = 'get' | 'put' | 'post' | 'delete';

/** The paths that support a method. */
export type PathOf<M extends Method> = {
  [Path in keyof ParleyPaths]: ParleyPaths[Path] extends { [_ in M]: { responses: object } } ? Path : never;
}[keyof ParleyPaths];

type Operation<M extends Method, Path extends PathOf<M>> = ParleyPaths[Path][M];

/** The options of a call: parameters, request body, signal and headers. */
export type CallOptions<M extends Method, Path extends PathOf<M>> = ParamsOption<Operation<M, Path>> &
  RequestBodyOption<Operation<M, Path>> & {
    signal?: AbortSignal;
    headers?: Record<string, string>;
  };

/** The arguments after the path. The options can be omitted if none of them is required. */
export type CallArguments<M extends Method, Path extends PathOf<M>> =
  RequiredKeysOf<CallOptions<M, Path>> extends never
    ? [options?: CallOptions<M, Path>]
    : [options: CallOptions<M, Path>];

/** The body of a successful response. */
export type Data<M extends Method, Path extends PathOf<M>> = Success<Operation<M, Path>>;

type Success<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Status extends OkStatus ? Body<Responses[Status]> : never;
    }[keyof Responses]
  : never;

type Body<Response> = Response extends { content: { 'application/json': infer Content } } ? Content : never;

export type CallResult<M extends Method, Path extends PathOf<M>> =
  | { data: Data<M, Path>; error?: undefined; response: Response }
  | { data?: undefined; error: ParleyError; response: Response };

/** The paths that return pages. */
export type PagedPath = {
  [Path in PathOf<'get'>]: ParleyPaths[Path]['get'] extends {
    responses: { 200: { headers: { Link: string } } };
  }
    ? Path
    : never;
}[PathOf<'get'>];

export type Item<Path extends PagedPath> = Data<'get', Path> extends (infer One)[] ? One : never;

type Schemas = components['schemas'];
export type Contact = Readable<Schemas['Contact']>;
export type ContactCreate = Readable<Schemas['ContactCreate']>;
export type ContactUpdate = Readable<Schemas['ContactUpdate']>;
export type Conversation = Readable<Schemas['Conversation']>;
export type CustomField = Readable<Schemas['CustomField']>;
export type Message = Readable<Schemas['Message']>;
export type MessageCreate = Readable<Schemas['MessageCreate']>;
export type Webhook = Readable<Schemas['Webhook']>;
