import type { ParamsOption, RequestBodyOption } from 'openapi-fetch';
import type { ErrorStatus, OkStatus, RequiredKeysOf } from 'openapi-typescript-helpers';
import type { components, paths } from '../generated/types.ts';
import type { ParleyError } from './errors.ts';

/** The contract's paths, with `ParleyError` as the type of error responses. */
export type ParleyPaths = {
  [Path in keyof paths]: { [Method in keyof paths[Path]]: WithParleyError<paths[Path][Method]> };
};

type WithParleyError<Operation> = Operation extends { responses: infer Responses }
  ? Omit<Operation, 'responses'> & {
      responses: {
        [Status in keyof Responses]: Status extends ErrorStatus ? ParleyErrorResponse : Responses[Status];
      };
    }
  : Operation;

interface ParleyErrorResponse {
  content: { 'application/json': ParleyError };
}

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
export type Contact = Schemas['Contact'];
export type ContactCreate = Schemas['ContactCreate'];
export type ContactUpdate = Schemas['ContactUpdate'];
export type Conversation = Schemas['Conversation'];
export type CustomField = Schemas['CustomField'];
export type Message = Schemas['Message'];
export type MessageCreate = Schemas['MessageCreate'];
export type Webhook = Schemas['Webhook'];
