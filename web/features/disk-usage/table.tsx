import { useState } from 'react'
import type { SizedItem, SizesAnswer } from '../../../shared/api/sizes.ts'
import { shownName } from '../../../shared/bytes.ts'
import { type FilePath, trustedChild } from '../../../shared/path.ts'
import { formatBytes, formatPercent } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { filesUrl, Link, usageUrl } from '../../lib/router.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import tables from '../../ui/table.module.css'
import { kindByName } from '../files/items/kind-by-name.ts'
import { ItemMenu } from './item-menu.tsx'
import styles from './sizes.module.css'

/** What the rows do. */
export interface SizesCommands {
  onShow: (item: SizedItem) => void
  /** Resolves once the item is deleted, or a question is open. @param remove does it */
  onDelete: (remove: () => void | Promise<void>) => Promise<void>
}

/** Where the name of an item leads: to its own disk usage, or to the file. */
export function addressOf(folder: FilePath, { name, isDir }: SizedItem): string {
  const path = trustedChild(folder, name)
  return isDir ? usageUrl(path) : filesUrl(path)
}

interface SizesTableProps extends SizesCommands {
  sizes: SizesAnswer
  /** The folder with these sizes. */
  folder: FilePath
}

/** The same as the treemap in rows, with the space used on disk. */
export function SizesTable({ sizes, folder, ...commands }: SizesTableProps) {
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
            <th scope="col" className={tables.end}>
              <span className="visually-hidden">{t('files.menu')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sizes.items.map(item => (
            <Row key={item.name} item={item} total={sizes.bytes} folder={folder} {...commands} />
          ))}
          {more > 0 && (
            <tr>
              <td colSpan={4} className={styles.more}>
                {t('sizes.more', { count: more })}
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  )
}

interface RowProps extends SizesCommands {
  item: SizedItem
  /** Bytes of the folder. */
  total: number
  folder: FilePath
}

function Row({ item, total, folder, onShow, onDelete }: RowProps) {
  const [leaving, setLeaving] = useState(false)
  const { name, isDir, bytes, disk } = item
  const share = total > 0 ? bytes / total : 0
  return (
    <tr data-leaving={leaving || undefined}>
      <td>
        <Link to={addressOf(folder, item)} className={styles.name}>
          <Glyph kind={kindByName(name, isDir)} />
          <bdi>{shownName(name)}</bdi>
        </Link>
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
      <td className={`${tables.end} ${styles.menu}`}>
        <ItemMenu
          item={item}
          folder={folder}
          onShow={() => onShow(item)}
          onDelete={remove => {
            setLeaving(true)
            void onDelete(remove).finally(() => setLeaving(false))
          }}
        />
      </td>
    </tr>
  )
}
