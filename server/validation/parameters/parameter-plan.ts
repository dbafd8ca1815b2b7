import type { DefaultsPlan } from '../../contract/defaults.ts';
import type { Shape } from './shape.ts';

export type ParameterStyle =
  | 'matrix'
  | 'label'
  | 'simple'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject';

/** A parameter, as plain data that is made when a contract is compiled. */
export interface ParameterPlan {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  /** The name under which the value is passed on: that of a header is in lower case. */
  key: string;
  required: boolean;
  style: ParameterStyle;
  explode: boolean;
  allowEmptyValue: boolean;
  /** Set if the parameter is described with `content` instead of a style. */
  content?: 'json' | 'text';
  shape: Shape;
  /** JSON Pointer of the schema that validates the value. Headers that OpenAPI ignores are not validated. */
  check?: string;
  /** The value of a missing parameter. Its own missing properties are filled in, too. */
  default?: unknown;
  /** Defaults inside the value. */
  defaults?: DefaultsPlan;
  /** Set if a query has names such as `filter[since]` (`properties`) or `ids[]` (`items`) for the parameter. */
  brackets?: readonly ('properties' | 'items')[];
  /** Set for an exploded object in a query or a cookie, whose properties are sent under their own names. */
  names?: ExplodedNames;
  /** Whether a header may span several lines. */
  mayRepeat: boolean;
}

export interface ExplodedNames {
  /** Own properties only. */
  declared: Readonly<Record<string, true>>;
  /** Whether all names that no other parameter claims belong to the object. */
  isOpen: boolean;
  /** Whether nothing is sent under the name of the parameter itself, because it can only be an object. */
  isOnly: boolean;
}

/** The parameters of an operation by location. */
export interface ParametersPlan {
  query: QueryPlan;
  path: readonly ParameterPlan[];
  headers: readonly ParameterPlan[];
  cookies: readonly ParameterPlan[];
}

export interface QueryPlan {
  parameters: readonly ParameterPlan[];
  /** Indexes of the exploded objects. */
  exploded: readonly number[];
  /** Indexes of the parameters that have names with brackets. */
  bracketed: readonly number[];
  /** Whether an exploded object declares a property with the name of a parameter. Both then get the value. */
  sharesNames: boolean;
}
