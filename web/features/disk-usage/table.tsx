import type { SizedItem, SizesAnswer } from '../../../shared/api/sizes.ts'
import { shownName } from '../../../shared/bytes.ts'
import { extensionOf } from '../../../shared/path.ts'
import { formatBytes, formatPercent } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { Glyph, kindOf } from '../../ui/glyph.tsx'
import tables from '../../ui/table.module.css'
import styles from './sizes.module.css'

interface SizesTableProps {
  sizes: SizesAnswer
  onOpen: (item: SizedItem) => void
}

/** The same as the treemap in rows, with the space used on disk. */
export function SizesTable({ sizes, onOpen }: SizesTableProps) {
  const more = sizes.count - sizes.items.length
  return (
    <div className={`${tables.frame} ${styles.frame}`}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{t('files.columnName')}</th>
            <th scope="col" className={`${tables.end} ${styles.number}`}>
              {t('files.columnSize')}
            </th>
            <th scope="col" className={`${tables.end} ${tables.wide} ${styles.number}`}>
              {t('sizes.onDisk')}
            </th>
          </tr>
        </thead>
        <tbody>
          {sizes.items.map(item => (
            <Row key={item.name} item={item} total={sizes.bytes} onOpen={() => onOpen(item)} />
          ))}
          {more > 0 && (
            <tr>
              <td colSpan={3} className={styles.more}>
                {t('sizes.more', { count: more })}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

function Row({ item, total, onOpen }: { item: SizedItem; total: number; onOpen: () => void }) {
  const { name, isDir, bytes, disk } = item
  const share = total > 0 ? bytes / total : 0
  return (
    <tr>
      <td>
        <button type="button" className={styles.name} onClick={onOpen}>
          <Glyph kind={kindOf({ isDir, type: 'blob', extension: extensionOf(name) })} />
          <bdi>{shownName(name)}</bdi>
        </button>
        <span className={styles.bar} aria-hidden="true">
          <span className={styles.share} style={{ inlineSize: `${share * 100}%` }} />
        </span>
        <span className={tables.narrow}>{`${t('sizes.onDisk')}: ${formatBytes(disk)}`}</span>
      </td>
      <td className={tables.end}>
        {formatBytes(bytes)}
        <span className={styles.percent}>{formatPercent(share)}</span>
      </td>
      <td className={`${tables.end} ${tables.wide}`}>{formatBytes(disk)}</td>
    </tr>
  )
}
