/** The rules of Parley for the mock inside pages. This module and its imports also run in browsers. */

import { errorFormat } from './errors.ts';
import { prefersTotalCount } from './own-contract/pagination.ts';
import { requestRulesFor } from './request-rules.ts';
import { publicHttpsOnly } from './security/egress/policy.ts';

const totals = ['x-total-count', 'preference-applied'];

export const pageRules = {
  errors: errorFormat,
  requestRules: requestRulesFor(publicHttpsOnly),
  // The other optional headers describe the response itself, such as that messages were left out. An example cannot
  // know that.
  sendsOptionalHeader: (header: string, prefer: string | undefined): boolean =>
    totals.includes(header) && prefersTotalCount(prefer),
};
