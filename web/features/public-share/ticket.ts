import { createStore, useStore } from '../../lib/store.ts'

const STORAGE_KEY = 'filigree.tickets'

/** Tickets by the hash of their share: each gives access to the files of a password-protected share (http-api 10.2). */
type Tickets = Readonly<Record<string, string>>

const store = createStore<Tickets>(readTickets())

export function ticketOf(hash: string): string | undefined {
  return store.get()[hash]
}

/** The share's ticket; re-renders when it changes. */
export function useTicket(hash: string): string | undefined {
  return useStore(store)[hash]
}

/** Milliseconds for which a ticket is kept although another came: it lasts an hour, and is in the addresses of images. */
const KEPT_FOR = 15 * 60_000
const received = new Map<string, number>()

/** Stores another ticket of the same share once the one there is is no longer fresh. */
export function renewTicket(hash: string, ticket: string): void {
  const at = received.get(hash)
  if (ticketOf(hash) === undefined || at === undefined || Date.now() - at > KEPT_FOR) keepTicket(hash, ticket)
}

/** Stores a ticket for the lifetime of the tab, or drops it. */
export function keepTicket(hash: string, ticket: string | undefined): void {
  received.set(hash, Date.now())
  const { [hash]: _old, ...others } = store.get()
  store.set(ticket === undefined ? others : { ...others, [hash]: ticket })
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(store.get()))
  } catch {
    // Storage may be full or unavailable; a reload then prompts for the password again.
  }
}

function readTickets(): Tickets {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}')
    const entries = Object.entries(stored ?? {}).filter(entry => typeof entry[1] === 'string')
    return Object.fromEntries(entries) as Record<string, string>
  } catch {
    return {}
  }
}
