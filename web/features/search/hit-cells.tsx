import { shownName } from '../../../shared/bytes.ts'
import { nameOf, parentOf, ROOT } from '../../../shared/path.ts'
import { formatNumber } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { IconButton } from '../../ui/button.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Cell } from '../../ui/grid/cells.tsx'
import { CheckCell } from '../../ui/grid/check-cells.tsx'
import { FolderSearch } from '../../ui/icons.ts'
import { kindByName } from '../files/items/kind-by-name.ts'
import { RowMenu } from '../files/listing/cells.tsx'
import { Marked } from './marked.tsx'
import { markLine, markName } from './query-text.ts'
import styles from './results.module.css'
import type { Hit } from './use-hits.ts'

/** Columns: selection, name, folder, menu. */
export const COLUMNS = 4

interface HitCellsProps {
  hit: Hit
  /** The query. */
  query: string
  selected: boolean
  onReveal: () => void
}

/** The cells of a search result. */
export function HitCells({ hit: { path, isDir, match }, query, selected, onReveal }: HitCellsProps) {
  const own = nameOf(path)
  const name = shownName(own)
  const folder = parentOf(path)
  return (
    <>
      <CheckCell name={own} selected={selected} />
      <Cell className={styles.what}>
        <Glyph kind={kindByName(name, isDir)} />
        <bdi className={styles.name} title={name}>
          <Marked pieces={markName(name, query)} />
        </bdi>
        <bdi className={styles.path}>{folder === ROOT ? t('files.home') : shownName(folder.slice(1))}</bdi>
        {match && (
          <span className={styles.match}>
            <span className={styles.line}>{formatNumber(match.line)}</span>
            <bdi className={styles.text}>
              <Marked pieces={markLine(match.text, query)} />
            </bdi>
          </span>
        )}
      </Cell>
      <Cell className={styles.reveal}>
        <IconButton
          label={t('search.reveal', { name })}
          tabIndex={-1}
          onClick={event => {
            // The row's click would open the item to be revealed.
            event.stopPropagation()
            onReveal()
          }}
        >
          <FolderSearch size={18} aria-hidden />
        </IconButton>
      </Cell>
      <Cell className={styles.menu}>
        <RowMenu item={{ name: own }} className={undefined} />
      </Cell>
    </>
  )
}
