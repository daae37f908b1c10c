import type { TokenUser } from '../../shared/api/users.ts'
import { dropPreloaded } from './preloaded-calls.ts'
import { createStore } from './store.ts'
import { decodeToken, readToken, TOKEN_KEY } from './stored-token.ts'

/** Why there is no session: never signed in, signed out, or ended by the server. */
export type LogoutReason = 'none' | 'logout' | 'expired'

export interface Session {
  user: TokenUser | null
  reason: LogoutReason
}

/** The session; it excludes the token, so that no component can render it. */
export const sessionStore = createStore<Session>({ user: null, reason: 'none' })
let token: string | null = null

export function currentToken(): string | null {
  return token
}

/** Makes a fresh token the session's. @throws Error when it is malformed */
export function beginSession(text: string): void {
  const user = decodeToken(text)
  token = text
  writeToken(text)
  sessionStore.set({ user, reason: 'none' })
}

/** Uses the stored token for calls, before the server has confirmed it. @throws Error when it is malformed */
export function resumeToken(): boolean {
  const stored = readToken()
  if (!stored) return false
  decodeToken(stored)
  token = stored
  return true
}

/** How many calls of the user to end the session are under way. */
let leaving = 0

/** Runs what ends the session on the server; another call that is refused meanwhile is a part of that, too. */
export async function whileLeaving<T>(act: () => Promise<T>): Promise<T> {
  leaving += 1
  try {
    return await act()
  } finally {
    leaving -= 1
  }
}

/** Ends the session here; the server is not notified. */
export function endSession(reason: LogoutReason): void {
  const isRefused = reason === 'expired' && leaving === 0
  token = null
  dropPreloaded()
  writeToken(null)
  const user = isRefused && holds > 0 ? sessionStore.get().user : null
  sessionStore.set({ user, reason: reason === 'expired' && !isRefused ? 'logout' : reason })
}

/** How many parts of the page hold it. */
let holds = 0

/**
 * Keeps the page where the server ends the session: it then has a user but no token, and the reason `expired`, until the user
 * signs in in another tab. @returns lets go: a session that has ended meanwhile is then over here, too
 */
export function holdPage(): () => void {
  holds += 1
  return () => {
    holds -= 1
    if (holds === 0 && sessionStore.get().reason === 'expired') endSession('expired')
  }
}

/** Follows sign-ins, sign-outs and renewals in other tabs, including those while this one was frozen. */
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
    // A foreign value; the next call will show.
  }
}

function writeToken(text: string | null): void {
  try {
    if (text) localStorage.setItem(TOKEN_KEY, text)
    else localStorage.removeItem(TOKEN_KEY)
  } catch {
    // Storage may be unavailable; the session then lasts as long as the page.
  }
}
