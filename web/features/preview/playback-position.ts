const STORAGE_KEY = 'filigree.played'
const MAX_KEPT = 100
/** Seconds at the beginning, and at the end, within which the position is not restored. */
const MARGIN = 5

function read(): Map<string, number> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]')
    return new Map(Array.isArray(value) ? (value as [string, number][]) : [])
  } catch {
    return new Map()
  }
}

/** The position to resume playback at, in seconds. @param duration of the file, in seconds */
export function resumePosition(path: string, duration: number): number {
  const seconds = read().get(path) ?? 0
  return seconds > MARGIN && seconds < duration - MARGIN ? seconds : 0
}

/** Forgets all positions: they name files of the user who has signed out. */
export function forgetPlayed(): void {
  try {
    sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // Storage may be unavailable; nothing is stored then.
  }
}

/** Stores the position, for the lifetime of the tab. */
export function storePlaybackPosition(path: string, seconds: number): void {
  const played = read()
  played.delete(path)
  played.set(path, Math.floor(seconds))
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...played].slice(-MAX_KEPT)))
  } catch {
    // Storage may be full or unavailable; playback then starts from the beginning.
  }
}
