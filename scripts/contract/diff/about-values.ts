/** Rules for changes that are breaking only if a counterexample exists. */
const aboutValues = /^(schema-(type|constraint|combinator)-changed|enum-values-(added|removed))$/;

/** Whether a rule is about the values that a schema allows. */
export const isAboutValues = (rule: string): boolean => aboutValues.test(rule);
