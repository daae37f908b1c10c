import { type RefObject, useMemo } from 'react'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import { type FilePath, nameOf, parentOf, parsePath } from '../../../shared/path.ts'
import { type ActionContext, useActionContext, useUserHere } from '../../lib/actions.ts'
import { currentFolder, filesUrl, lineUrl, navigate } from '../../lib/router.tsx'
import { allOf, pick } from '../../ui/grid/range-set.ts'
import { clear, type GridState } from '../../ui/grid/selection.ts'
import type { GridHandle } from '../../ui/grid/virtual-grid.tsx'
import { requestFocus } from '../files/items/focus-request.ts'
import { hydrateItems } from '../files/items/hydrate-items.ts'
import { stubItem } from '../files/items/stub-item.ts'
import type { Hit } from './use-hits.ts'

interface ResultsState {
  hits: readonly Hit[]
  /** Those that are shown, in their order. */
  rows: readonly Hit[]
  state: GridState
  setState: (next: GridState) => void
  grid: RefObject<GridHandle | null>
  /** Shows every result instead of the first ones. */
  showAll: (() => void) | undefined
  onClose: () => void
}

/** The action context while results are selected instead of entries of the folder on the screen. */
export function useResultsContext(results: ResultsState): ActionContext {
  const { hits, rows, state, setState, grid, showAll, onClose } = results
  const { route, offline } = useActionContext()
  const selection = useMemo(() => itemsOf(pick(state.selected, rows)), [state.selected, rows])
  const user = useUserHere(selection)
  const change = (next: GridState) => {
    setState(next)
    grid.current?.focus()
  }
  return {
    user,
    route,
    offline: offline ?? false,
    folder: undefined,
    selection,
    focused: selection[0],
    view: {
      selectAll() {
        showAll?.()
        change({ ...state, selected: allOf(hits.length) })
      },
      clearSelection: () => change(clear(state)),
      focus: () => grid.current?.focus(),
      refresh: () => undefined,
      open: ({ path, isDir }) => {
        const hit = hits.find(each => each.path === path)
        void navigate(hit ? addressOf(hit) : filesUrl(path, isDir))
      },
      reveal: ({ path }) => showInFolder(parsePath(path), onClose),
    },
  }
}

/** Address of a result: a text at the matching line. */
export function addressOf({ path, isDir, match }: Hit): string {
  return match ? lineUrl(path, match.line) : filesUrl(path, isDir)
}

/** Opens the folder of a result and selects it there. */
export function showInFolder(path: FilePath, onClose: () => void): void {
  const folder = parentOf(path)
  requestFocus(folder, nameOf(path))
  if (currentFolder() === folder) onClose()
  else void navigate(filesUrl(folder, true))
}

/** Search results as listing entries, completed from cached listings. */
function itemsOf(hits: readonly Hit[]): ResourceItem[] {
  return hydrateItems(hits.map(({ path, isDir }) => stubItem(path, isDir)))
}
