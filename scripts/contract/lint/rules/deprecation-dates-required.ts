import type { LintRule } from '../rule.ts';

const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/**
 * Deprecated parts state when they were deprecated and when they will be removed, because the service sends both
 * dates.
 */
export const deprecationDatesRequired: LintRule = () => ({
  any(node, { report, location }) {
    const [since, sunset] = [node?.['x-deprecated-since'], node?.['x-sunset']];
    if (node?.deprecated !== true) {
      if (since !== undefined || sunset !== undefined)
        report({ message: 'Add deprecated: true to the deprecation dates.', location: location.key() });
      return;
    }
    const where = location.child('deprecated').key();
    for (const [word, value] of Object.entries({ 'x-deprecated-since': since, 'x-sunset': sunset }))
      if (typeof value !== 'string' || !day.test(value))
        report({ message: `Add ${word} to deprecated, such as '2027-01-31'.`, location: where });
    if (typeof since === 'string' && typeof sunset === 'string' && since >= sunset)
      report({ message: 'x-sunset must be later than x-deprecated-since.', location: where });
  },
});
