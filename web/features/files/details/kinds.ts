import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { type GlyphKind, kindOf } from '../../../ui/kind.ts'
import { isStub } from '../items/stub-item.ts'

/** The items of one type in a selection. */
export interface KindTotal {
  kind: GlyphKind
  count: number
  /** Bytes, without folders. `undefined` when a size is unknown. */
  bytes: number | undefined
}

/** The number and size of items by type, largest size first. */
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
  return bytes === undefined || isStub(item) ? undefined : bytes + item.size
}
