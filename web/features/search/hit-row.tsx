import type { MouseEvent } from 'react'
import type { ResourceType } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { nameOf, parentOf, ROOT } from '../../../shared/path.ts'
import { formatNumber } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { filesUrl, href } from '../../lib/router.tsx'
import { Cell } from '../../ui/grid/cells.tsx'
import { CheckCell } from '../../ui/grid/check-cells.tsx'
import { RowLink } from '../../ui/grid/row-link.tsx'
import { kindByName } from '../files/items/kind-by-name.ts'
import { stubItem } from '../files/items/stub-item.ts'
import { Thumb } from '../files/items/thumb.tsx'
import cells from '../files/listing/cells.module.css'
import { Modified, RowMenu, Size } from '../files/listing/cells.tsx'
import { Marked } from './marked.tsx'
import { markLine, markName } from './query-text.ts'
import styles from './table.module.css'
import type { Hit } from './use-hits.ts'
import { addressOf, showInFolder } from './use-results-context.ts'

interface HitRowProps {
  hit: Hit
  /** The query. */
  query: string
  selected: boolean
  exactDates: boolean
  /** Whether thumbnails are shown. */
  pictures: boolean
  onClose: () => void
}

/** The cells of a result with its folder, size and time. */
export function HitRow({ hit, query, selected, exactDates, pictures, onClose }: HitRowProps) {
  const { path, isDir, match, size = 0, modified = '' } = hit
  const own = nameOf(path)
  const item = { ...stubItem(path, isDir), type: typeOf(shownName(own), isDir), size, modified }
  return (
    <>
      <CheckCell name={own} selected={selected} />
      <Cell className={cells.name}>
        <span className={cells.handle}>
          <Thumb item={item} allowed={pictures} />
          <span className={styles.names}>
            <RowLink to={addressOf(hit)} className={styles.name} title={shownName(own)}>
              <Marked pieces={markName(shownName(own), query)} />
            </RowLink>
            {match && (
              <span className={styles.match}>
                <span className={styles.line}>{formatNumber(match.line)}</span>
                <bdi className={styles.text}>
                  <Marked pieces={markLine(match.text, query)} />
                </bdi>
              </span>
            )}
          </span>
        </span>
      </Cell>
      <Cell className={styles.where}>
        <Where path={path} onClose={onClose} />
      </Cell>
      <Cell className={cells.size}>
        <Size item={item} />
      </Cell>
      <Cell className={cells.modified}>
        <Modified item={item} exactDates={exactDates} />
      </Cell>
      <Cell className={cells.menu}>
        <RowMenu item={{ name: own }} className={undefined} />
      </Cell>
    </>
  )
}

/** The type of a result by its name. */
function typeOf(name: string, isDir: boolean): ResourceType {
  const kind = kindByName(name, isDir)
  if (kind === 'image' || kind === 'audio' || kind === 'video' || kind === 'pdf') return kind
  return isDir ? '' : 'blob'
}

/** A link to the folder of a result, which selects it there. */
function Where({ path, onClose }: Pick<Hit, 'path'> & { onClose: () => void }) {
  const folder = parentOf(path)
  const name = folder === ROOT ? t('files.home') : shownName(folder.slice(1))
  const follow = (event: MouseEvent) => {
    // The row's click would select or open the result.
    event.stopPropagation()
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    showInFolder(path, onClose)
  }
  return (
    <a href={href(filesUrl(folder, true))} className={styles.folder} title={name} tabIndex={-1} onClick={follow}>
      <bdi>{name}</bdi>
    </a>
  )
}
