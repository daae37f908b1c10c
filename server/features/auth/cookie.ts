import type { FastifyReply, FastifyRequest } from 'fastify'

/** Name of the session cookie. */
export const COOKIE_NAME = 'auth'

/** The cookie that carries a token for downloads the browser opens. Scripts cannot read it. */
export function sessionCookie(token: string, baseURL: string, secure: boolean): string {
  return `${COOKIE_NAME}=${token}; Path=${baseURL || '/'}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}

/** The cookie that clears the session cookie. */
export function clearedCookie(baseURL: string): string {
  return `${COOKIE_NAME}=; Path=${baseURL || '/'}; HttpOnly; SameSite=Strict; Max-Age=0`
}

/** Lets the browser of a session that has ended drop its cookie, and the files it has cached. */
export function sendSignedOut(reply: FastifyReply, baseURL: string): FastifyReply {
  return reply
    .headers({ 'Set-Cookie': clearedCookie(baseURL), 'Clear-Site-Data': '"cache"' })
    .code(204)
    .send()
}

/** The token in a `Cookie` header. */
export function tokenInCookie(header: string | undefined): string | undefined {
  return valueInCookie(header, COOKIE_NAME)
}

/** The value of a cookie in a `Cookie` header. */
export function valueInCookie(header: string | undefined, name: string): string | undefined {
  const pair = header?.split(';').find(part => part.trim().startsWith(`${name}=`))
  return pair?.trim().slice(name.length + 1)
}

/** Sends a session token to a client that has signed in: as text, and as the cookie. */
export function sendSessionToken(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  baseURL: string,
): FastifyReply {
  return reply
    .header('Set-Cookie', sessionCookie(token, baseURL, request.protocol === 'https'))
    .type('text/plain; charset=utf-8')
    .send(token)
}
