import type { DragEvent, RefObject } from 'react'
import type { Geometry, GridLayout } from './geometry.ts'
import type { GridState } from './selection.ts'
import type { FocusMove } from './use-focus-follower.ts'

/** The state of a grid for its handlers, and their callbacks. */
export interface GridEventProps {
  /** Rows without the header. Up to about 440 000 at 40 px: browsers cap the height of an element. */
  count: number
  /** CSS pixels. */
  rowHeight: number
  /** Tiles instead of rows. */
  tile?: GridLayout['tile']
  /** In place of both: arranges the rows in a width. Use a stable function. */
  arrange?: ((width: number) => Geometry) | undefined
  /** 0 without a header. */
  headerHeight: number
  state: GridState
  onState: (next: GridState) => void
  /** A click opens instead of selecting; Ctrl, Shift and the check box still select. */
  singleClick: boolean
  /** The text that typeahead searches. */
  nameAt: (index: number) => string
  onOpen: (index: number) => void
  /** Previews a row; defaults to opening it. */
  onLook?: (index: number) => void
  onUp: () => void
  /** Position of the context menu in viewport pixels; `index` is -1 outside the rows. */
  onMenu: (at: { index: number; x: number; y: number }) => void
  /** A mouse drag starts on a `draggable` row, or on a draggable element in it. */
  onDrag?: (event: DragEvent<HTMLElement>, index: number) => void
}

/** The elements of a grid that its handlers use. */
export interface GridElements {
  scroller: RefObject<HTMLDivElement | null>
  body: RefObject<HTMLDivElement | null>
  band: RefObject<HTMLDivElement | null>
}

/** Applies a state and moves the DOM focus accordingly. */
export type Change = (next: GridState, how: FocusMove) => void
