/**
 * What a token does runs under a session id that contains the token's id, so that jobs, streams and open files find its
 * limits again: `token:<id>` for the token itself, `token:<id>:<random>` for a session that it started.
 */
const FORM = /^token:([0-9a-f]{16})(:.+)?$/

export const sessionIdOf = (tokenId: string): string => `token:${tokenId}`

/** The id of a session that a token starts. */
export const startedSessionId = (tokenId: string, random: string): string => `${sessionIdOf(tokenId)}:${random}`

/** The token behind a session id; `undefined` for an ordinary session. */
export const tokenIdIn = (sessionId: string): string | undefined => FORM.exec(sessionId)?.[1]

/** Whether a session id is that of a token itself, without a stored session. */
export const isTokenItself = (sessionId: string): boolean => FORM.test(sessionId) && !FORM.exec(sessionId)?.[2]
