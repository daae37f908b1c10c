import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { Sorting } from '../../../../shared/sorting.ts'
import { GLYPH_KINDS, kindOf } from '../../../ui/kind.ts'

const rankOf = (item: ResourceItem): number => GLYPH_KINDS.indexOf(kindOf(item))

/** What items are sorted by where the order is that of their kinds, as the column shows them. */
export const kindKey = ({ by }: Pick<Sorting, 'by'>): typeof rankOf | undefined => (by === 'kind' ? rankOf : undefined)
