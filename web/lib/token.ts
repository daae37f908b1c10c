import type { TokenUser } from '../../shared/api/users.ts'
import { NO_PERMISSIONS } from '../../shared/permissions.ts'
import { createStore } from './store.ts'

/** Why nobody is logged in: never was, left, or the server ended the session. */
export type LogoutReason = 'none' | 'logout' | 'expired'

export interface Session {
  user: TokenUser | null
  reason: LogoutReason
}

/** Local storage key of the token (specification section 3). */
export const TOKEN_KEY = 'jwt'

/** The session; the token stays out of it so that no component can render it. */
export const sessionStore = createStore<Session>({ user: null, reason: 'none' })
let token: string | null = null

export function currentToken(): string | null {
  return token
}

/**
 * The user in the middle part of a token. For display only: every right is checked by the server.
 * @throws Error('token malformed') unless it has exactly three parts and the middle one holds a user
 */
export function decodeToken(text: string): TokenUser {
  const parts = text.split('.')
  const [, middle] = parts
  if (parts.length !== 3 || !middle) throw new Error('token malformed')
  try {
    const bytes = Uint8Array.from(atob(middle.replaceAll('-', '+').replaceAll('_', '/')), char => char.charCodeAt(0))
    const { user } = JSON.parse(new TextDecoder().decode(bytes)) as { user: TokenUser }
    return { ...user, perm: { ...NO_PERMISSIONS, ...user.perm } }
  } catch (error) {
    throw new Error('token malformed', { cause: error })
  }
}

/** Takes a fresh token as the session's. @throws Error when it is malformed */
export function beginSession(text: string): void {
  const user = decodeToken(text)
  token = text
  writeToken(text)
  sessionStore.set({ user, reason: 'none' })
}

/** Takes the stored token for calls, before the server has confirmed it. @throws Error when it is malformed */
export function resumeToken(): boolean {
  const stored = readToken()
  if (!stored) return false
  decodeToken(stored)
  token = stored
  return true
}

/** Forgets the session here; the server is not told. */
export function endSession(reason: LogoutReason): void {
  token = null
  writeToken(null)
  sessionStore.set({ user: null, reason })
}

/** Follows logins, logouts and renewals in other tabs, also those that happened while this one was frozen. */
export function followOtherTabs(): void {
  addEventListener('storage', event => {
    if (event.key !== TOKEN_KEY && event.key !== null) return
    const stored = readToken()
    if (stored === token) return
    if (stored) adopt(stored)
    else endSession('logout')
  })
  const catchUp = () => {
    const stored = readToken()
    if (stored && stored !== token) adopt(stored)
  }
  addEventListener('pageshow', catchUp)
  document.addEventListener('resume', catchUp)
}

function adopt(stored: string): void {
  try {
    const user = decodeToken(stored)
    token = stored
    sessionStore.set({ user, reason: 'none' })
  } catch {
    // Not one of ours; the next call will tell.
  }
}

function readToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY) || null
  } catch {
    return null
  }
}

function writeToken(text: string | null): void {
  try {
    if (text) localStorage.setItem(TOKEN_KEY, text)
    else localStorage.removeItem(TOKEN_KEY)
  } catch {
    // Storage may be forbidden; the session then lasts as long as the page.
  }
}
