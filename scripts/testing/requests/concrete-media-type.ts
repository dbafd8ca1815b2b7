/** Returns a concrete media type for a range such as `text/*` or `application/*+json`. */
export const concrete = (mediaType: string): string =>
  mediaType === '*/*' || mediaType === 'application/*'
    ? 'application/json'
    : mediaType.replace('text/*', 'text/plain').replace(/\/\*(?=$|\+)/, '/vnd.example');
