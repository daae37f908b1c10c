import { type RefObject, useCallback, useMemo, useRef, useState } from 'react'
import { shownName } from '../../../shared/bytes.ts'
import { nameOf, parentOf, ROOT } from '../../../shared/path.ts'
import { currentFolder } from '../../lib/current-folder.ts'
import { t } from '../../lib/i18n/index.ts'
import { useCoarsePointer } from '../../lib/media.ts'
import { filesUrl, navigate } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { IconButton } from '../../ui/button.tsx'
import { Glyph } from '../../ui/glyph.tsx'
import { Cell } from '../../ui/grid/cells.tsx'
import { INITIAL } from '../../ui/grid/selection.ts'
import { VirtualGrid } from '../../ui/grid/virtual-grid.tsx'
import { FolderSearch } from '../../ui/icons.ts'
import { requestFocus } from '../files/focus-request.ts'
import { kindByName } from './kind.ts'
import { markName } from './query-text.ts'
import styles from './results.module.css'
import type { Hit, Hits } from './use-hits.ts'

/** Results shown at first, and more of them at a time (specification section 9). */
const PAGE = 50
/** CSS pixels from the last row at which more are shown. */
const NEAR = 400
const ROW = 52
const TOUCH_ROW = 60

export interface ResultsProps {
  found: Hits
  input: RefObject<HTMLInputElement | null>
  onClose: () => void
}

/** What was found, as a grid like a listing. Mounted anew for every search. */
export function Results({ found, input, onClose }: ResultsProps) {
  const [state, setState] = useState(INITIAL)
  const [shown, setShown] = useState(PAGE)
  const list = useRef<HTMLDivElement>(null)
  const { user } = useSession()
  const rowHeight = useCoarsePointer() ? TOUCH_ROW : ROW
  const rows = useMemo(() => found.hits.slice(0, shown), [found.hits, shown])
  const { query } = found
  const renderCells = useCallback(
    (index: number) => {
      const hit = rows[index]
      return hit ? <HitCells hit={hit} query={query} onReveal={() => showInFolder(hit, onClose)} /> : null
    },
    [rows, query, onClose],
  )
  const open = (hit: Hit | undefined) => {
    if (hit) void navigate(filesUrl(hit.path, hit.isDir))
  }
  const onScroll = (offset: number) => {
    const end = offset + (list.current?.clientHeight ?? 0) + NEAR
    if (end > shown * rowHeight && shown < found.hits.length) setShown(shown + PAGE)
  }
  const height = { blockSize: rows.length * rowHeight }
  return (
    <div ref={list} className={styles.list} style={height}>
      <VirtualGrid
        label={t('search.results')}
        count={rows.length}
        columns={2}
        rowHeight={rowHeight}
        headerHeight={0}
        initialOffset={0}
        state={state}
        onState={setState}
        singleClick={user?.singleClick ?? false}
        renderCells={renderCells}
        nameAt={index => nameAt(rows, index)}
        onOpen={index => open(rows[index])}
        onUp={() => input.current?.focus()}
        onMenu={() => undefined}
        onScroll={onScroll}
      />
    </div>
  )
}

function nameAt(rows: readonly Hit[], index: number): string {
  const hit = rows[index]
  return hit ? nameOf(hit.path) : ''
}

/** Goes to the folder that holds something and selects it there. */
function showInFolder({ path }: Hit, onClose: () => void): void {
  const folder = parentOf(path)
  requestFocus(folder, nameOf(path))
  if (currentFolder() === folder) onClose()
  else void navigate(filesUrl(folder, true))
}

interface HitCellsProps {
  hit: Hit
  query: string
  onReveal: () => void
}

function HitCells({ hit: { path, isDir }, query, onReveal }: HitCellsProps) {
  const name = shownName(nameOf(path))
  const folder = parentOf(path)
  return (
    <>
      <Cell className={styles.what}>
        <Glyph kind={kindByName(name, isDir)} />
        <bdi className={styles.name} title={name}>
          {markName(name, query).map(({ text, found, start }) => (found ? <mark key={start}>{text}</mark> : text))}
        </bdi>
        <bdi className={styles.path}>{folder === ROOT ? t('files.home') : shownName(folder.slice(1))}</bdi>
      </Cell>
      <Cell className={styles.reveal}>
        <IconButton
          label={t('search.reveal', { name })}
          tabIndex={-1}
          onClick={event => {
            // The row would open what is to be shown.
            event.stopPropagation()
            onReveal()
          }}
        >
          <FolderSearch size={18} aria-hidden />
        </IconButton>
      </Cell>
    </>
  )
}
