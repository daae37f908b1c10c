import { ApiError, api, apiText, renew } from './api.ts'
import { otherLogoutPage, pageConfig } from './config.ts'
import { useStore } from './store.ts'
import { decodeToken } from './stored-token.ts'
import {
  beginSession,
  currentToken,
  endSession,
  followOtherTabs,
  resumeToken,
  type Session,
  sessionStore,
  whileLeaving,
} from './token.ts'

export { renew } from './api.ts'
export { decodeToken, TOKEN_KEY } from './stored-token.ts'
export {
  currentToken,
  endSession,
  holdPage,
  type LogoutReason,
  type Session,
  sessionStore,
  whileLeaving,
} from './token.ts'

/** The session; re-renders when it changes. */
export function useSession(): Session {
  return useStore(sessionStore)
}

/**
 * Signs in with a name and password.
 * @param recaptcha the captcha response, where there is a captcha
 * @throws ApiError 403 for wrong credentials, 429 with `retryAfter`, 0 without a connection
 */
export async function login(username: string, password: string, recaptcha = ''): Promise<void> {
  const body = JSON.stringify({ username, password, recaptcha })
  const headers = { 'Content-Type': 'application/json' }
  beginSession(await apiText('/api/login', { method: 'POST', body, headers, auth: false }))
}

/** Milliseconds for which the page waits: a browser hands the response over once it has cleared its cache. */
const SIGN_OUT_WAIT = 2000

/** Ends the session on the server and here. Without a connection it ends only here. */
export async function logout(): Promise<void> {
  const token = currentToken()
  const asked = token
    ? whileLeaving(() =>
        api('/api/logout', { method: 'POST', headers: { 'X-Auth': token }, auth: false }).catch(() => undefined),
      )
    : undefined
  await Promise.race([asked, new Promise(resolve => setTimeout(resolve, token ? SIGN_OUT_WAIT : 0))])
  endSession('logout')
  const ended = await asked
  // A session of a provider ends there, too.
  const page = ended?.headers.get('X-Logout-Location') ?? otherLogoutPage
  if (page !== undefined && !currentToken()) location.assign(page)
}

/**
 * The session at start-up: a stored token is renewed; without a sign-in page the server identifies the user. Never
 * rejects: there is no session then.
 */
export async function startSession(): Promise<void> {
  followOtherTabs()
  try {
    if (!pageConfig.LoginPage) await login('', '')
    else if (resumeToken()) await renew()
  } catch (error) {
    const token = currentToken()
    // Without a connection the session stays, so that a reload on a train does not sign the user out.
    if (token && error instanceof ApiError && error.status === 0) {
      sessionStore.set({ user: decodeToken(token), reason: 'none' })
    } else {
      endSession(error instanceof ApiError && error.status === 401 ? 'expired' : 'none')
    }
  }
}
