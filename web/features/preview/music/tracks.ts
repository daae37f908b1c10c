import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { Music } from './store.ts'

type Tracks = readonly ResourceItem[]

/** The audio files among rows of a listing. */
export const tracksIn = (rows: Tracks): Tracks => rows.filter(({ type, isDir }) => type === 'audio' && !isDir)

/** The track after the current one, or before it. @param round whether the ends meet; else there is none beyond them */
export function trackAfter(
  { track, queue }: Pick<Music, 'track' | 'queue'>,
  by: 1 | -1,
  round = false,
): ResourceItem | undefined {
  const index = queue.findIndex(({ path }) => path === track.path)
  if (index < 0) return undefined
  return queue[index + by] ?? (round ? queue.at(by > 0 ? 0 : -1) : undefined)
}

/** Tracks in a random order that begins with one of them. @param random as `Math.random` */
export function shuffled(tracks: Tracks, first: ResourceItem, random = Math.random): Tracks {
  const rest = tracks.filter(({ path }) => path !== first.path)
  for (let last = rest.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const [a, b] = [rest[last], rest[other]]
    if (a && b) [rest[last], rest[other]] = [b, a]
  }
  return [first, ...rest]
}

/** A queue after its folder has changed: what is left keeps its place, what is new comes last. */
export function followChanges(queue: Tracks, tracks: Tracks): Tracks {
  const known = new Set(queue.map(({ path }) => path))
  const now = new Map(tracks.map(track => [track.path, track]))
  return [...queue.flatMap(({ path }) => now.get(path) ?? []), ...tracks.filter(({ path }) => !known.has(path))]
}

/** A position or a length as minutes and seconds, with hours where there are any. @param seconds `NaN` if unknown */
export function clockOf(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–:––'
  const whole = Math.floor(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? `${part}` : `${part}`.padStart(2, '0'))).join(':')
}
