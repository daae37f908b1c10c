import type { NamePiece } from './query-text.ts'

/** A text with its matches highlighted. */
export function Marked({ pieces }: { pieces: readonly NamePiece[] }) {
  return pieces.map(({ text, found, start }) => (found ? <mark key={start}>{text}</mark> : text))
}
