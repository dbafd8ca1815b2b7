/** The pull request that gets the comment. */
export interface PullRequest {
  /** `https://api.github.com`, or the URL of a GitHub Enterprise server. */
  api: string;
  /** `owner/name`. */
  repository: string;
  number: number;
  token: string;
}

interface Comment {
  id: number;
  body?: string;
  user?: { type?: string } | null;
}

const perPage = 100;

/**
 * Creates a comment or updates the existing one.
 * @param mark the first line of the comment, which identifies it among the comments of bots
 * @returns whether the comment was created or updated
 * @throws Error if GitHub rejects a request or does not respond
 */
export async function upsertComment(
  { api, repository, number, token }: PullRequest,
  mark: string,
  body: string,
): Promise<'made' | 'updated'> {
  const ask = async (method: string, path: string, sent?: object): Promise<unknown> => {
    const response = await fetch(`${api}/repos/${repository}/${path}`, {
      method,
      headers: {
        Accept: 'application/vnd.github+json',
        Authorization: `Bearer ${token}`,
        'X-GitHub-Api-Version': '2022-11-28',
      },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      signal: AbortSignal.timeout(20_000),
    });
    if (!response.ok)
      throw new Error(
        `GitHub returned ${response.status} to ${method} ${path}: ${(await response.text()).slice(0, 200)}`,
      );
    return response.json();
  };
  for (let page = 1; ; page += 1) {
    const found = await ask('GET', `issues/${number}/comments?per_page=${perPage}&page=${page}`);
    const comments: Comment[] = Array.isArray(found) ? found : [];
    // Only a bot's comment is updated, because people may quote the report.
    const own = comments.find((comment) => comment.user?.type === 'Bot' && comment.body?.startsWith(mark));
    if (own) {
      await ask('PATCH', `issues/comments/${own.id}`, { body });
      return 'updated';
    }
    if (comments.length < perPage) break;
  }
  await ask('POST', `issues/${number}/comments`, { body });
  return 'made';
}
