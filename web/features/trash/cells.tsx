import type { KeptItem } from '../../../shared/api/trash.ts'
import { shownName } from '../../../shared/bytes.ts'
import { parentOf, parsePath, ROOT } from '../../../shared/path.ts'
import { formatBytes, formatDate, formatRelative } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { filesUrl, Link } from '../../lib/router.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Cell, HeaderCell, HeaderRow } from '../../ui/grid/cells.tsx'
import { CheckCell, CheckHeader, type CheckHeaderProps } from '../../ui/grid/check-cells.tsx'
import { kindByName } from '../files/items/kind-by-name.ts'
import { FileName } from '../files/listing/cells.tsx'
import styles from './trash.module.css'

/** Columns: selection, name, old folder, deleted by, when, size, kept until. */
export const COLUMNS = 7

/** The cells of an item of the trash. */
export function KeptCells({ item, selected }: { item: KeptItem; selected: boolean }) {
  const { name, path, isDir, size, by, deleted, until, outside } = item
  const folder = parentOf(parsePath(path))
  return (
    <>
      <CheckCell name={name} selected={selected} />
      <Cell className={styles.name}>
        <Glyph kind={kindByName(name, isDir)} />
        <FileName name={name} />
      </Cell>
      <Cell className={styles.from}>
        <Link to={filesUrl(folder, true)} tabIndex={-1} className={styles.folder}>
          <bdi>{folder === ROOT ? t('files.home') : shownName(folder.slice(1))}</bdi>
        </Link>
      </Cell>
      <Cell className={styles.by}>
        {outside ? <span title={t('trash.byProgram')}>{t('trash.byProgram')}</span> : <bdi>{by}</bdi>}
      </Cell>
      <Cell className={styles.when}>
        <time dateTime={deleted} title={formatDate(deleted)}>
          {formatRelative(deleted)}
        </time>
      </Cell>
      <Cell className={styles.size}>{isDir ? <span aria-hidden="true">–</span> : formatBytes(size)}</Cell>
      <Cell className={styles.until}>
        {until === undefined ? (
          <span aria-hidden="true">–</span>
        ) : (
          <time dateTime={until} title={formatDate(until)}>
            {formatRelative(until)}
          </time>
        )}
      </Cell>
    </>
  )
}

/** The row of column headers. */
export function KeptHeader(check: CheckHeaderProps) {
  return (
    <HeaderRow className={styles.header}>
      <CheckHeader {...check} />
      <HeaderCell className={styles.name}>{t('files.columnName')}</HeaderCell>
      <HeaderCell className={styles.from}>{t('trash.from')}</HeaderCell>
      <HeaderCell className={styles.by}>{t('trash.by')}</HeaderCell>
      <HeaderCell className={styles.when}>{t('trash.when')}</HeaderCell>
      <HeaderCell className={styles.size}>{t('files.columnSize')}</HeaderCell>
      <HeaderCell className={styles.until}>{t('trash.until')}</HeaderCell>
    </HeaderRow>
  )
}
