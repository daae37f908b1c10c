import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { Music } from './store.ts'

/** The audio files among rows of a listing. */
export const tracksIn = (rows: readonly ResourceItem[]): readonly ResourceItem[] =>
  rows.filter(({ type, isDir }) => type === 'audio' && !isDir)

/** The track after the current one, or before it; `undefined` at the ends. */
export function trackAfter({ track, tracks }: Omit<Music, 'player'>, by: 1 | -1): ResourceItem | undefined {
  const index = tracks.findIndex(({ path }) => path === track.path)
  return index < 0 ? undefined : tracks[index + by]
}

/** A position or a length as minutes and seconds, with hours where there are any. @param seconds `NaN` if unknown */
export function clockOf(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–:––'
  const whole = Math.floor(seconds)
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, index) => (index === 0 ? `${part}` : `${part}`.padStart(2, '0'))).join(':')
}
