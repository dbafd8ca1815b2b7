import type { ParameterPlan, ParameterStyle } from '../../../server/validation/parameters/parameter-plan.ts';
import type { Shape } from '../../../server/validation/parameters/shape.ts';

/** The styles of each location, with the default first (OpenAPI 3.1.1, section 4.8.12.2). */
const stylesIn: Readonly<Record<ParameterPlan['in'], readonly [ParameterStyle, ...ParameterStyle[]]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/**
 * Returns the style in which a parameter is sent.
 * @param style the documented one; undefined for the default
 * @throws Error that names the parameter and a remedy, if OpenAPI does not define how it is sent
 */
export function styleOf(
  name: string,
  location: ParameterPlan['in'],
  style: unknown,
  isExploded: boolean,
  shape: Shape,
): ParameterStyle {
  const what = location === 'cookie' ? `The cookie ${name}` : `The ${location} parameter ${name}`;
  const styles = stylesIn[location];
  const found = style === undefined ? styles[0] : styles.find((each) => each === style);
  if (found === undefined)
    throw new Error(`${what} has the style ${String(style)}. Use ${styles.join(' or ')}.`);
  if (isExploded && shape.kind === 'object' && (found === 'spaceDelimited' || found === 'pipeDelimited'))
    throw new Error(
      `${what} is an exploded object with the style ${found}, which OpenAPI does not define. Use style: form, or explode: false.`,
    );
  return found;
}
