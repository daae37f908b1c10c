import styles from './glyph.module.css'
import type { GlyphKind } from './kind.ts'

export { GLYPH_KINDS, type GlyphKind, kindOf } from './kind.ts'

/** The icon of a file type in its colour: one element, drawn through a mask. Hidden from screen readers. */
export function Glyph({ kind, large = false }: { kind: GlyphKind; large?: boolean }) {
  return <span className={styles.glyph} data-kind={kind} data-large={large || undefined} aria-hidden="true" />
}
