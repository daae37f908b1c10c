import { type ReactNode, type RefObject, Suspense, useCallback, useMemo, useRef, useState } from 'react'
import { type FilePath, nameOf } from '../../../shared/path.ts'
import { type ActionContext, ActionScope, allActions, runAction } from '../../lib/actions.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts } from '../../lib/keyboard.ts'
import { lazyPart } from '../../lib/lazy.ts'
import { useCoarsePointer, useWindowClass } from '../../lib/media.ts'
import { navigate } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { indexOfRow } from '../../ui/grid/dom.ts'
import { INITIAL } from '../../ui/grid/selection.ts'
import { type GridHandle, VirtualGrid } from '../../ui/grid/virtual-grid.tsx'
import { useFocusAfterPrompt } from '../files/listing/folder-hooks.ts'
import { useContextMenu } from '../files/listing/use-context-menu.tsx'
import { useGridState } from '../files/listing/use-grid-state.ts'
import { COLUMNS, HitCells } from './hit-cells.tsx'
import styles from './results.module.css'
import type { Hit, Hits } from './use-hits.ts'
import { addressOf, showInFolder, useResultsContext } from './use-results-context.ts'

const SelectionBar = lazyPart(() => import('../files/listing/selection-bar.tsx'))
const PhoneActions = lazyPart(() => import('../files/listing/phone-actions.tsx'))

/** Results shown at first, and added at a time. */
const PAGE = 50
/** CSS pixels from the last row at which more are added. */
const NEAR = 400
const ROW = 52
const TOUCH_ROW = 60
/** Additional height of a row with a line of a file. */
const LINE = 20
/** Milliseconds until a closed dialog has returned the focus; the folder behind the results waits longer. */
const FOCUS_RETURN = 20

const pathOf = (hit: Hit) => hit.path

export interface ResultsProps {
  found: Hits
  input: RefObject<HTMLElement | null>
  /** Status of the search; replaced by the selection's actions. */
  status: ReactNode
  onClose: () => void
  /** Called before a result is opened. */
  onOpen?: (path: FilePath) => void
}

/** The results, as a grid like a listing and with its actions. Mounted once per search. */
export function Results({ found, input, status, onClose, onOpen }: ResultsProps) {
  const { hits, query } = found
  const [shown, setShown] = useState(PAGE)
  const rows = useMemo(() => hits.slice(0, shown), [hits, shown])
  const [state, setState] = useGridState(rows, () => INITIAL, pathOf)
  const list = useRef<HTMLDivElement>(null)
  const grid = useRef<GridHandle>(null)
  const narrow = useWindowClass() === 'narrow'
  const rowHeight = (useCoarsePointer() ? TOUCH_ROW : ROW) + (found.contents ? LINE : 0)
  const { user } = useSession()
  const showAll = () => setShown(hits.length)
  const context = useResultsContext({ hits, state, setState, grid, showAll, onClose })
  const menu = useContextMenu(state, setState, grid)
  useFocusAfterPrompt(grid, FOCUS_RETURN)
  useActionKeys(context)
  const renderCells = useCallback(
    (index: number, selected: boolean) => {
      const hit = rows[index]
      if (!hit) return null
      return <HitCells hit={hit} query={query} selected={selected} onReveal={() => showInFolder(hit.path, onClose)} />
    },
    [rows, query, onClose],
  )
  const open = (hit: Hit | undefined) => {
    if (!hit) return
    onOpen?.(hit.path)
    void navigate(addressOf(hit))
  }
  const onScroll = (offset: number) => {
    const end = offset + (list.current?.clientHeight ?? 0) + NEAR
    if (end > shown * rowHeight && shown < hits.length) setShown(shown + PAGE)
  }
  const selecting = context.selection.length > 0
  return (
    <ActionScope value={context}>
      <div data-compact={narrow || undefined}>
        <Suspense fallback={status}>{selecting ? <SelectionBar compact={narrow} /> : status}</Suspense>
      </div>
      <div ref={list} className={styles.list} style={{ blockSize: rows.length * rowHeight }}>
        <VirtualGrid
          ref={grid}
          label={t('search.results')}
          count={rows.length}
          columns={COLUMNS}
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
          onMenu={menu.open}
          onScroll={onScroll}
        />
      </div>
      <Suspense>{narrow && selecting && <PhoneActions />}</Suspense>
      {selecting && menu.element}
    </ActionScope>
  )
}

function nameAt(rows: readonly Hit[], index: number): string {
  const hit = rows[index]
  return hit ? nameOf(hit.path) : ''
}

/** Ungrouped actions that results have, too. */
const HERE: readonly string[] = ['selectAll', 'clearSelection']

/** The keys of the selection's actions; those of the folder behind are disabled here. */
function useActionKeys(context: ActionContext): void {
  const actions = allActions().filter(({ id, group }) => group === 'selection' || HERE.includes(id))
  useShortcuts(
    'dialog',
    actions.flatMap(action => {
      const run = ({ target }: KeyboardEvent) => indexOfRow(target) >= 0 && runAction(action, context)
      return action.shortcut ? [{ keys: action.shortcut, run }] : []
    }),
  )
}
