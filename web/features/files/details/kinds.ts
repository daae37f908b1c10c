import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { t } from '../../../lib/i18n/index.ts'
import { type GlyphKind, kindOf } from '../../../ui/kind.ts'

/** What a kind of file is called. */
export function kindName(kind: GlyphKind): string {
  return t(`kinds.${kind}`)
}

/** The things of one kind among several. */
export interface KindTotal {
  kind: GlyphKind
  count: number
  /** Bytes; folders count nothing. */
  bytes: number
}

/** How much there is of each kind, the most bytes first. */
export function totalsByKind(items: readonly ResourceItem[]): KindTotal[] {
  const totals = new Map<GlyphKind, KindTotal>()
  for (const item of items) {
    const kind = kindOf(item)
    const total = totals.get(kind) ?? { kind, count: 0, bytes: 0 }
    totals.set(kind, { kind, count: total.count + 1, bytes: total.bytes + (item.isDir ? 0 : item.size) })
  }
  return [...totals.values()].sort((a, b) => b.bytes - a.bytes || b.count - a.count)
}
