import type { DragEvent, RefObject } from 'react'
import type { GridLayout } from './geometry.ts'
import type { GridState } from './selection.ts'
import type { FocusWish } from './use-focus-follower.ts'

/** What the handlers need to know of a grid, and whom they tell. */
export interface GridEventProps {
  /** Rows without the header. Up to about 440 000 at 40 px: browsers cap the height of an element. */
  count: number
  /** CSS pixels. */
  rowHeight: number
  /** Tiles instead of rows; those may take their height from their width. */
  tile?: GridLayout['tile']
  /** 0 without a header. */
  headerHeight: number
  state: GridState
  onState: (next: GridState) => void
  /** A click opens instead of selecting; Ctrl, Shift and the check box still select. */
  singleClick: boolean
  /** What typing letters searches. */
  nameAt: (index: number) => string
  onOpen: (index: number) => void
  /** A quick look at a row; opens it if left out. */
  onLook?: (index: number) => void
  onUp: () => void
  /** Where a menu is asked for, in the viewport's pixels; `index` is -1 beside the rows. */
  onMenu: (at: { index: number; x: number; y: number }) => void
  /** A drag with the mouse begins on a row that is `draggable`, or on something in it that is. */
  onDrag?: (event: DragEvent<HTMLElement>, index: number) => void
}

/** Elements of a grid that its handlers work with. */
export interface GridElements {
  scroller: RefObject<HTMLDivElement | null>
  body: RefObject<HTMLDivElement | null>
  band: RefObject<HTMLDivElement | null>
}

/** Takes on a state and says what the real focus does with it. */
export type Change = (next: GridState, how: FocusWish) => void
