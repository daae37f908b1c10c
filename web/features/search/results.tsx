import { type CSSProperties, type ReactNode, type RefObject, Suspense, useRef } from 'react'
import { nameOf } from '../../../shared/path.ts'
import { type ActionContext, ActionScope, allActions, runAction } from '../../lib/actions.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts } from '../../lib/keyboard.ts'
import { lazyPart } from '../../lib/lazy.ts'
import { useWindowClass } from '../../lib/media.ts'
import { navigate } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { indexOfRow } from '../../ui/grid/dom.ts'
import { EMPTY, sizeOf } from '../../ui/grid/range-set.ts'
import { type GridState, INITIAL } from '../../ui/grid/selection.ts'
import { type GridHandle, VirtualGrid } from '../../ui/grid/virtual-grid.tsx'
import { useFocusAfterPrompt } from '../files/listing/folder-hooks.ts'
import { useContextMenu } from '../files/listing/use-context-menu.tsx'
import { useGridState } from '../files/listing/use-grid-state.ts'
import type { Hit, Hits } from './use-hits.ts'
import { addressOf, useResultsContext } from './use-results-context.ts'

const SelectionBar = lazyPart(() => import('../files/listing/selection-bar.tsx'))
const PhoneActions = lazyPart(() => import('../files/listing/phone-actions.tsx'))

/** Milliseconds until a closed dialog has returned the focus; the folder behind the results waits longer. */
const FOCUS_RETURN = 20

const pathOf = (hit: Hit) => hit.path

/** The results of a search for the user. */
export interface ResultsProps {
  found: Hits
  input: RefObject<HTMLElement | null>
  /** Status of the search; replaced by the selection's actions. */
  status: ReactNode
  onClose: () => void
  /** Called before a result is opened. */
  onOpen?: (hit: Hit) => void
}

interface ResultsGridProps extends ResultsProps {
  /** The results that are shown, in their order. */
  rows: readonly Hit[]
  columns: number
  rowHeight: number
  className: string | undefined
  style?: CSSProperties
  renderCells: (index: number, selected: boolean) => ReactNode
  /** Shows every result instead of the first ones. */
  showAll?: () => void
  headerHeight?: number
  header?: (how: { selected: 'all' | 'some' | 'none'; onSelectAll: () => void }) => ReactNode
  /** Where the list starts. */
  start?: (rows: readonly Hit[]) => GridState
  offset?: number
  onScroll?: (offset: number) => void
  list?: RefObject<HTMLDivElement | null>
  grid?: RefObject<GridHandle | null>
}

const atTop = () => INITIAL

/** The results, as a grid like a listing and with its actions. Mounted once per search. */
export function ResultsGrid(props: ResultsGridProps) {
  const { found, rows, input, status, onClose, onOpen, showAll, header, start = atTop } = props
  const { hits } = found
  const [state, setState] = useGridState(rows, start, pathOf)
  const own = useRef<GridHandle>(null)
  const grid = props.grid ?? own
  const narrow = useWindowClass() === 'narrow'
  const { user } = useSession()
  const context = useResultsContext({ hits, rows, state, setState, grid, showAll, onClose })
  const menu = useContextMenu(state, setState, grid)
  useFocusAfterPrompt(grid, FOCUS_RETURN)
  useActionKeys(context)
  const open = (hit: Hit | undefined) => {
    if (!hit) return
    onOpen?.(hit)
    void navigate(addressOf(hit))
  }
  const selecting = context.selection.length > 0
  const chosen = sizeOf(state.selected)
  const all = chosen > 0 && chosen === rows.length
  return (
    <ActionScope value={context}>
      <div data-compact={narrow || undefined}>
        <Suspense fallback={status}>{selecting ? <SelectionBar compact={narrow} /> : status}</Suspense>
      </div>
      <div ref={props.list} className={props.className} style={props.style} data-compact={narrow || undefined}>
        <VirtualGrid
          ref={grid}
          label={t('search.results')}
          count={rows.length}
          columns={props.columns}
          rowHeight={props.rowHeight}
          headerHeight={props.headerHeight ?? 0}
          header={header?.({
            selected: all ? 'all' : chosen > 0 ? 'some' : 'none',
            onSelectAll: () => (all ? setState({ ...state, selected: EMPTY }) : context.view?.selectAll()),
          })}
          initialOffset={props.offset ?? 0}
          state={state}
          onState={setState}
          singleClick={user?.singleClick ?? false}
          renderCells={props.renderCells}
          nameAt={index => nameAt(rows, index)}
          onOpen={index => open(rows[index])}
          onUp={() => input.current?.focus()}
          onMenu={menu.open}
          {...(props.onScroll && { onScroll: props.onScroll })}
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
