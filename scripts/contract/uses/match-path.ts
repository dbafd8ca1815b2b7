/** Returns the paths of a contract that a text can be, or can end with. */
export type PathMatcher = (text: string) => string[];

/**
 * Creates a function that finds paths in a text, such as `/api/v1/contacts/{id}` in `*` + `/contacts/4021?x=1`. In the
 * text, `*` stands for a part that is not known. A text that is only the end of a path counts too, because a base URL
 * can contain the rest.
 */
export function createPathMatcher(paths: readonly string[]): PathMatcher {
  const templates = paths.map((path) => ({ path, steps: path.split('/').filter(Boolean) }));
  return (text) => {
    const [target = ''] = text.split(/[?#]/);
    if (!target.includes('/') || /\s/.test(target)) return [];
    const steps = target
      .replace(/^\w+:\/\/[^/]*/, '')
      .split('/')
      .filter(Boolean);
    const fixed = steps.filter((step) => !step.includes('*'));
    if (fixed.length === 0) return [];
    return templates
      .filter(({ steps: own }) => {
        const count = Math.min(own.length, steps.length);
        const [end, ownEnd] = [steps.slice(-count), own.slice(-count)];
        // Before the path there can be a base URL, or a part that is not known.
        return (
          end.every((step, index) => fits(step, ownEnd[index] ?? '')) &&
          end.some((step, index) => step === ownEnd[index])
        );
      })
      .map(({ path }) => path);
  };
}

const fits = (step: string, template: string): boolean =>
  step === template || step.includes('*') || /\{[^}]+\}/.test(template);
