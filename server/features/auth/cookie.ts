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

/** The token in a `Cookie` header. */
export function tokenInCookie(header: string | undefined): string | undefined {
  const pair = header?.split(';').find(part => part.trim().startsWith(`${COOKIE_NAME}=`))
  return pair?.trim().slice(COOKIE_NAME.length + 1)
}
