import type { MarkedItem } from '../../../shared/api/marks.ts'
import { shownName } from '../../../shared/bytes.ts'
import { parentOf, parsePath, ROOT } from '../../../shared/path.ts'
import { formatDate, formatRelative } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { filesUrl, Link } from '../../lib/router.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { kindByName } from '../files/items/kind-by-name.ts'
import { FileName } from '../files/listing/cells.tsx'
import styles from './marks.module.css'

interface MarkedFactsProps {
  item: MarkedItem
  /** The address that the name opens. */
  to: string
  /** A note below the name in place of the folder. */
  note?: string | undefined
  /** RFC 3339. */
  time: string
}

/** Name, folder and time of a marked item. */
export function MarkedFacts({ item: { path, name, isDir }, to, note, time }: MarkedFactsProps) {
  const folder = parentOf(parsePath(path))
  return (
    <>
      <Glyph kind={kindByName(name, isDir)} />
      <span className={styles.facts}>
        <Link to={to} className={styles.name}>
          <FileName name={name} />
        </Link>
        {note === undefined ? (
          <Link to={filesUrl(folder, true)} className={styles.folder}>
            <bdi>{folder === ROOT ? t('files.home') : shownName(folder.slice(1))}</bdi>
          </Link>
        ) : (
          <span className={styles.folder}>{note}</span>
        )}
      </span>
      <time className={styles.time} dateTime={time} title={formatDate(time)}>
        {formatRelative(time)}
      </time>
    </>
  )
}
