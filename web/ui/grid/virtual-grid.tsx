import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import { focusRowElement, rowElement } from './dom.ts'
import { has, sizeOf } from './range-set.ts'
import { GridRow } from './row.tsx'
import { assignSlots } from './slots.ts'
import { useFocusFollower } from './use-focus-follower.ts'
import { type GridEventProps, useGridEvents } from './use-grid-events.ts'
import styles from './virtual-grid.module.css'

/** What the owner of a grid may ask of it. */
export interface GridHandle {
  /** Moves the focus of the page to the focused row, or to the grid itself when it is empty. */
  focus(): void
  /** The element `focus` would go to. */
  focusedRow(): HTMLElement | null
  /** Brings a row into view. */
  reveal(index: number): void
  scrollToTop(): void
}

export interface VirtualGridProps extends GridEventProps {
  /** Accessible name. */
  label: string
  columns: number
  /** Scroll offset to start with, in CSS pixels. */
  initialOffset: number
  /** Row with the column headers, `role="row"`. */
  header: ReactNode
  /** The cells of a row. Keep its identity while the rows are the same: rows render again with it. */
  renderCells: (index: number, selected: boolean) => ReactNode
  onScroll?: (offset: number) => void
  ref?: Ref<GridHandle>
}

const OVERSCAN = 6

/**
 * A grid of any length after the ARIA Authoring Practices' grid pattern: one row in the tab order, real focus on rows,
 * only the rows in sight in the document. The focused row stays in it wherever the window goes.
 */
export function VirtualGrid(props: VirtualGridProps) {
  const { state, count, headerHeight, ref } = props
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useRows(props, scroller)
  const wanted = useFocusFollower(scroller, state.focus, index => rows.scrollToIndex(index, { align: 'auto' }))
  const handlers = useGridEvents(props, scroller, wanted)
  useImperativeHandle(
    ref,
    () => ({
      focus: () => focusRowElement(scroller.current, state.focus),
      focusedRow: () => rowElement(scroller.current, state.focus) ?? scroller.current,
      reveal: index => rows.scrollToIndex(index, { align: 'auto' }),
      scrollToTop: () => rows.scrollToOffset(0),
    }),
    [state.focus, rows],
  )
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="grid"
      aria-label={props.label}
      aria-rowcount={count + 1}
      aria-colcount={props.columns}
      aria-multiselectable="true"
      tabIndex={count === 0 ? 0 : -1}
      data-selecting={sizeOf(state.selected) > 0 || undefined}
      {...handlers}
    >
      <div role="rowgroup" className={styles.head} style={{ blockSize: headerHeight }}>
        {props.header}
      </div>
      <RowWindow {...props} rows={rows} />
    </div>
  )
}

type Rows = Virtualizer<HTMLDivElement, Element>

/**
 * The rows in sight. Their elements are reused and stay where they are in the document, so that scrolling neither makes
 * new ones nor moves the focused one; `aria-owns` tells screen readers the order once scrolling has stopped.
 */
function RowWindow({ rows, state, rowHeight, headerHeight, renderCells }: VirtualGridProps & { rows: Rows }) {
  const items = rows.getVirtualItems()
  const { slots, idOf } = useSlots(items.map(item => item.index))
  const inPlace = items.toSorted((a, b) => (slots.get(a.index) ?? 0) - (slots.get(b.index) ?? 0))
  const order = rows.isScrolling ? undefined : items.map(item => idOf(item.index)).join(' ')
  return (
    <div role="rowgroup" className={styles.body} style={{ blockSize: rows.getTotalSize() }} aria-owns={order}>
      {inPlace.map(({ index, start }) => {
        const selected = has(state.selected, index)
        return (
          <GridRow
            key={slots.get(index)}
            id={idOf(index)}
            index={index}
            top={start - headerHeight}
            height={rowHeight}
            selected={selected}
            joinsBefore={selected && has(state.selected, index - 1)}
            joinsAfter={selected && has(state.selected, index + 1)}
            focusable={index === state.focus}
            renderCells={renderCells}
          />
        )
      })}
    </div>
  )
}

/** Which element shows which row, following on from what is in the document. */
function useSlots(indexes: readonly number[]) {
  const prefix = useId()
  const committed = useRef<ReadonlyMap<number, number>>(new Map())
  const slots = assignSlots(committed.current, indexes)
  useLayoutEffect(() => {
    committed.current = slots
  })
  return { slots, idOf: (index: number) => `${prefix}${slots.get(index)}` }
}

function useRows(props: VirtualGridProps, scroller: RefObject<HTMLDivElement | null>): Rows {
  const { count, rowHeight, headerHeight, initialOffset, state, onScroll } = props
  const pinned = state.focus < count ? state.focus : -1
  const rangeExtractor = useCallback((range: Range) => withPinned(defaultRangeExtractor(range), pinned), [pinned])
  const rows = useVirtualizer<HTMLDivElement, Element>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: headerHeight,
    scrollPaddingStart: headerHeight,
    initialOffset,
    // Until the element is measured: rows are there in the very first rendering, ready to take the focus.
    initialRect: { width: innerWidth, height: innerHeight },
    rangeExtractor,
    onChange: now => onScroll?.(now.scrollOffset ?? 0),
  })
  useNewHeight(rows, rowHeight)
  return rows
}

/** Another density: the sizes kept so far are wrong, and the same rows are to stay in sight. */
function useNewHeight(rows: Rows, rowHeight: number): void {
  const last = useRef(rowHeight)
  useLayoutEffect(() => {
    if (last.current === rowHeight) return
    const offset = ((rows.scrollOffset ?? 0) / last.current) * rowHeight
    last.current = rowHeight
    rows.measure()
    rows.scrollToOffset(offset)
  }, [rows, rowHeight])
}

/** Adds the focused row where it belongs in the order. */
function withPinned(indexes: number[], pinned: number): number[] {
  if (pinned < 0) return indexes
  const at = indexes.findIndex(index => index >= pinned)
  if (indexes[at] === pinned) return indexes
  return at < 0 ? [...indexes, pinned] : [...indexes.slice(0, at), pinned, ...indexes.slice(at)]
}
