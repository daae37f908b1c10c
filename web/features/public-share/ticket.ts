import { createStore, useStore } from '../../lib/store.ts'

const STORAGE_KEY = 'filigree.tickets'

/** Tickets by the hash of their link: each opens the files of a link whose password was given (http-api 10.2). */
type Tickets = Readonly<Record<string, string>>

const store = createStore<Tickets>(readTickets())

export function ticketOf(hash: string): string | undefined {
  return store.get()[hash]
}

/** The link's ticket; renders again when it changes. */
export function useTicket(hash: string): string | undefined {
  return useStore(store)[hash]
}

/** Keeps a ticket as long as the tab is open, or forgets it. */
export function keepTicket(hash: string, ticket: string | undefined): void {
  const { [hash]: _old, ...others } = store.get()
  store.set(ticket === undefined ? others : { ...others, [hash]: ticket })
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(store.get()))
  } catch {
    // Storage may be full or forbidden; a reload then asks for the password again.
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
