import { createStore } from './store.ts'

/**
 * The browser's history with two additions: blockers that can prompt before a page is left, and values stored per
 * entry. The source of truth for the address is `location` itself.
 */

interface EntryState {
  /** Identifies the entry, also after a reload. */
  id: string
  /** Index in the session's history, to know the direction of a `popstate`. */
  index: number
}

export interface HistoryLocation extends EntryState {
  pathname: string
  search: string
  /** How the entry was reached; a folder view restores its scroll position after `pop`. */
  arrival: 'load' | 'push' | 'replace' | 'pop'
}

/** Decides whether the page may be left: by Back to the previous entry, or for any other one. */
export type Ask = (way: 'back' | 'go') => boolean | Promise<boolean>

const STORAGE_KEY = 'filigree.history'
const MAX_KEPT_ENTRIES = 100

const blockers = new Set<Ask>()
const kept = new Map<string, Record<string, unknown>>(readKept())
/** Set for the `popstate` that restores the entry while a blocker decides, and for the one that then continues. */
let skipNextPop = false
let passNextPop = false

export const locationStore = createStore<HistoryLocation>(readLocation('load'))

function readLocation(arrival: HistoryLocation['arrival']): HistoryLocation {
  const { id, index } = entryState()
  return { id, index, pathname: location.pathname, search: location.search, arrival }
}

function entryState(): EntryState {
  const state: unknown = history.state
  if (typeof state === 'object' && state !== null && 'id' in state && 'index' in state) {
    return { id: String(state.id), index: Number(state.index) }
  }
  const fresh = { id: newId(), index: 0 }
  history.replaceState(fresh, '')
  return fresh
}

function newId(): string {
  return Math.random().toString(36).slice(2)
}

async function mayLeave(...way: Parameters<Ask>): Promise<boolean> {
  for (const ask of [...blockers]) if (!(await ask(...way))) return false
  return true
}

/** Navigates to a URL of this site, including the base URL. @returns false when a blocker refused */
export async function go(url: string, replace: boolean): Promise<boolean> {
  if (blockers.size > 0 && !(await mayLeave('go'))) return false
  const { id, index, pathname } = locationStore.get()
  const samePage = new URL(url, location.href).pathname === pathname
  const state: EntryState = { id: replace && samePage ? id : newId(), index: replace ? index : index + 1 }
  if (replace) history.replaceState(state, '', url)
  else history.pushState(state, '', url)
  locationStore.set(readLocation(replace ? 'replace' : 'push'))
  return true
}

async function onPop(): Promise<void> {
  if (skipNextPop) {
    skipNextPop = false
    return
  }
  const from = locationStore.get()
  if (history.state === null && location.pathname === from.pathname) {
    // A link to a fragment of this page: the browser adds an entry, but the page is the same.
    history.replaceState({ id: from.id, index: from.index + 1 }, '')
    locationStore.set({ ...from, index: from.index + 1 })
    return
  }
  const delta = entryState().index - from.index
  if (blockers.size === 0 || delta === 0 || passNextPop) {
    passNextPop = false
    locationStore.set(readLocation('pop'))
    return
  }
  skipNextPop = true
  history.go(-delta)
  if (!(await mayLeave(delta < 0 ? 'back' : 'go'))) return
  passNextPop = true
  history.go(delta)
}

/** Prompts before any navigation inside the application until the returned function is called. */
export function addBlocker(ask: Ask): () => void {
  blockers.add(ask)
  return () => blockers.delete(ask)
}

/** A value stored for one history entry. */
export function keptValue(entry: string, key: string): unknown {
  return kept.get(entry)?.[key]
}

export function keepValue(entry: string, key: string, value: unknown): void {
  const values = { ...kept.get(entry), [key]: value }
  kept.delete(entry)
  kept.set(entry, values)
}

function readKept(): [string, Record<string, unknown>][] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(value) ? (value as [string, Record<string, unknown>][]) : []
  } catch {
    return []
  }
}

function saveKept(): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...kept].slice(-MAX_KEPT_ENTRIES)))
  } catch {
    // Storage may be full or unavailable; only the scroll position after a reload is lost.
  }
}

/** Forgets the values of all entries: they name items of the user who has signed out. */
export function forgetKept(): void {
  kept.clear()
  saveKept()
}

history.scrollRestoration = 'manual'
addEventListener('popstate', () => void onPop())
addEventListener('pagehide', saveKept)
