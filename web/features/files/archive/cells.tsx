import type { ArchiveItem } from '../../../../shared/api/archives.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { formatBytes, formatDate } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { Glyph, kindOf } from '../../../ui/glyph.tsx'
import { Cell } from '../../../ui/grid/cells.tsx'
import { Lock } from '../../../ui/icons.ts'
import styles from './archive.module.css'

/** Columns: name, size, date. */
export const COLUMNS = 3

/** The cells of an archive entry. */
export function MemberCells({ item }: { item: ArchiveItem }) {
  const name = shownName(item.name)
  return (
    <>
      <Cell className={styles.what}>
        <Glyph kind={kindOf(item)} />
        <bdi className={styles.name} title={name}>
          {name}
        </bdi>
        {item.encrypted && <Lock size={16} className={styles.lock} role="img" aria-label={t('errors.encrypted')} />}
      </Cell>
      <Cell className={styles.size}>{!item.isDir && <bdi>{formatBytes(item.size)}</bdi>}</Cell>
      <Cell className={styles.date}>
        <time dateTime={item.modified}>{formatDate(item.modified)}</time>
      </Cell>
    </>
  )
}
