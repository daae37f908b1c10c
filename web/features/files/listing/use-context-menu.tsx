import { useState } from 'react'
import { lazyPart } from '../../../lib/lazy.ts'
import { CancelOnEscape } from '../../../ui/cancel-on-escape.tsx'
import { clear, type GridState, includeRow } from '../../../ui/grid/selection.ts'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import type { GridRef, SetState } from './folder-hooks.ts'

const ContextMenu = lazyPart(() => import('./context-menu.tsx'))

interface MenuAt {
  x: number
  y: number
  on: 'selection' | 'folder'
  key: number
}

/** The context menu of a row or of the folder: its trigger, and its element while it is open. */
export function useContextMenu(state: GridState, setState: SetState, grid: GridRef) {
  const [at, setAt] = useState<MenuAt>()
  const open = ({ index, x, y }: { index: number; x: number; y: number }) => {
    setState(index < 0 ? clear(state) : includeRow(state, index))
    setAt(last => ({ x, y, on: index < 0 ? 'folder' : 'selection', key: (last?.key ?? 0) + 1 }))
  }
  const close = () => setAt(undefined)
  const focusedRow = () => grid.current?.focusedRow() ?? null
  const element = at && (
    <LazyBoundary fallback={<CancelOnEscape onEscape={close} />} onMissing={close}>
      <ContextMenu key={at.key} x={at.x} y={at.y} on={at.on} returnFocus={focusedRow} onClose={close} />
    </LazyBoundary>
  )
  return { open, element }
}
