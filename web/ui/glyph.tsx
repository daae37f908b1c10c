import styles from './glyph.module.css'
import type { GlyphKind } from './kind.ts'

export { GLYPH_KINDS, type GlyphKind, kindOf } from './kind.ts'

/** A file kind's drawing in the kind's colour: one element, drawn through a mask. Says nothing to screen readers. */
export function Glyph({ kind, large = false }: { kind: GlyphKind; large?: boolean }) {
  return <span className={styles.glyph} data-kind={kind} data-large={large || undefined} aria-hidden="true" />
}
