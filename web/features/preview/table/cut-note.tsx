import { formatNumber } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import type { Table } from './parse.ts'

/** How much of a truncated table is shown. */
export function CutNote({ table: { cells, cut } }: { table: Table }) {
  return cut && <span role="note">{t('preview.tableCut', { count: formatNumber(cells.ends.length / 2) })}</span>
}
