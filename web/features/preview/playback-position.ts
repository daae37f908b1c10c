const STORAGE_KEY = 'filigree.played'
const MAX_KEPT = 100
/** Seconds of a beginning, or of an end, that are not worth coming back to. */
const MARGIN = 5

function read(): Map<string, number> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]')
    return new Map(Array.isArray(value) ? (value as [string, number][]) : [])
  } catch {
    return new Map()
  }
}

/** Where to go on with a film or a sound, in seconds. @param duration of the whole, in seconds */
export function playedUntil(path: string, duration: number): number {
  const seconds = read().get(path) ?? 0
  return seconds > MARGIN && seconds < duration - MARGIN ? seconds : 0
}

/** Remembers where it was left, for as long as the tab lives. */
export function rememberPlayed(path: string, seconds: number): void {
  const played = read()
  played.delete(path)
  played.set(path, Math.floor(seconds))
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...played].slice(-MAX_KEPT)))
  } catch {
    // Storage may be full or forbidden; it then starts from the beginning.
  }
}
