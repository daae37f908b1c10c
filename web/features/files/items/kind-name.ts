import { t } from '../../../lib/i18n/index.ts'
import type { GlyphKind } from '../../../ui/kind.ts'

/** Display name of a file type. */
export function kindName(kind: GlyphKind): string {
  return t(`kinds.${kind}`)
}
