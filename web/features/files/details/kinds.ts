import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { t } from '../../../lib/i18n/index.ts'
import { type GlyphKind, kindOf } from '../../../ui/kind.ts'
import { isBare } from '../items/stub-item.ts'

/** What a kind of file is called. */
export function kindName(kind: GlyphKind): string {
  return t(`kinds.${kind}`)
}

/** The things of one kind among several. */
export interface KindTotal {
  kind: GlyphKind
  count: number
  /** Bytes; folders count nothing. `undefined` where not all are known. */
  bytes: number | undefined
}

/** How much there is of each kind, the most bytes first. */
export function totalsByKind(items: readonly ResourceItem[]): KindTotal[] {
  const totals = new Map<GlyphKind, KindTotal>()
  for (const item of items) {
    const kind = kindOf(item)
    const { count, bytes } = totals.get(kind) ?? { count: 0, bytes: 0 }
    totals.set(kind, { kind, count: count + 1, bytes: sum(bytes, item) })
  }
  return [...totals.values()].sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0) || b.count - a.count)
}

function sum(bytes: number | undefined, item: ResourceItem): number | undefined {
  if (item.isDir) return bytes
  return bytes === undefined || isBare(item) ? undefined : bytes + item.size
}
