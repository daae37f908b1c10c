/** Longest search text, in characters. */
export const MAX_QUERY_LENGTH = 1024
/** Maximum words and filters of a search text. */
export const MAX_QUERY_TERMS = 64
