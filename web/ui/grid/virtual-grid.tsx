import { type ReactNode, type Ref, useId, useImperativeHandle, useLayoutEffect, useMemo, useRef } from 'react'
import { focusRowElement, rowElement } from './dom.ts'
import { type Geometry, geometryOf } from './geometry.ts'
import type { GridElements, GridEventProps } from './grid-props.ts'
import { useLateParts } from './late.ts'
import { has, sizeOf } from './range-set.ts'
import { GridRow } from './row.tsx'
import { assignSlots } from './slots.ts'
import { useFocusFollower } from './use-focus-follower.ts'
import { useGlide } from './use-glide.ts'
import { useGridEvents } from './use-grid-events.ts'
import { useRows, type VisibleRows } from './use-rows.ts'
import { useWidth } from './use-width.ts'
import styles from './virtual-grid.module.css'

/** The handle of a grid for its owner. */
export interface GridHandle {
  /** Focuses the focused row, or the grid itself when it is empty. */
  focus(): void
  /** The element that `focus` would focus. */
  focusedRow(): HTMLElement | null
  /** Scrolls a row into view. */
  reveal(index: number): void
  scrollToTop(): void
}

export interface VirtualGridProps extends GridEventProps {
  /** Accessible name. */
  label: string
  /** Columns of a list; tiles have one cell each. */
  columns: number
  /** Initial scroll offset in CSS pixels. */
  initialOffset: number
  /** Free space below the last row for floating elements, in CSS pixels; default 0. */
  footHeight?: number
  /** Row with the column headers, `role="row"`; none for tiles. */
  header?: ReactNode
  /** Renders the cells of a row. Use a stable function: a new one re-renders the rows. */
  renderCells: (index: number, selected: boolean) => ReactNode
  /** Cells that lie over those of a row, such as a field for its name. They stay mounted while their row moves. */
  over?: { index: number; cells: ReactNode } | undefined
  /** What lies between the rows, for some lines; hidden from screen readers. Use a stable function. */
  between?: (lines: readonly number[]) => ReactNode
  /** Whether rows can be dragged: tiles anywhere, rows of a list once they are selected. */
  draggable?: boolean
  /** Path of a row's folder, if it is a drop target. */
  dropAt?: (index: number) => string | undefined
  onScroll?: (offset: number) => void
  ref?: Ref<GridHandle>
}

/**
 * A virtualised grid after the ARIA Authoring Practices' grid pattern: one row in the tab order, DOM focus on rows,
 * only the rows in view in the document, plus the focused one. As tiles each row has one cell, and arrows move in two
 * dimensions.
 */
export function VirtualGrid(props: VirtualGridProps) {
  const { state, count, headerHeight, rowHeight, tile, arrange, ref } = props
  const elements: GridElements = { scroller: useRef(null), body: useRef(null), band: useRef(null) }
  const { scroller } = elements
  useLateParts()
  const width = useWidth(scroller)
  const geometry = useMemo(
    () => arrange?.(width) ?? geometryOf({ height: rowHeight, ...(tile && { tile }) }, count, width),
    [arrange, rowHeight, tile, count, width],
  )
  const { initialOffset, footHeight = 0, onScroll } = props
  const lines = useRows({ geometry, headerHeight, footHeight, initialOffset, focus: state.focus, onScroll }, scroller)
  const reveal = (index: number) => lines.reveal(geometry.lineOf(index))
  const wanted = useFocusFollower(scroller, state.focus, reveal)
  const handlers = useGridEvents(props, geometry, elements, wanted)
  useImperativeHandle(ref, () => ({
    focus: () => focusRowElement(scroller.current, state.focus),
    focusedRow: () => rowElement(scroller.current, state.focus) ?? scroller.current,
    reveal,
    scrollToTop: () => scroller.current?.scrollTo({ top: 0 }),
  }))
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="grid"
      aria-label={props.label}
      aria-rowcount={count + (props.header ? 1 : 0)}
      aria-colcount={geometry.tiles ? undefined : props.columns}
      aria-multiselectable="true"
      tabIndex={count === 0 ? 0 : -1}
      data-selecting={sizeOf(state.selected) > 0 || undefined}
      data-single-click={props.singleClick || undefined}
      style={{ scrollPaddingBlock: `${headerHeight}px calc(var(--grid-foot, ${footHeight}px) + var(--scroll-end))` }}
      {...handlers}
    >
      {props.header && (
        <div role="rowgroup" className={styles.head} style={{ blockSize: headerHeight }}>
          {props.header}
        </div>
      )}
      <RowWindow
        {...props}
        lines={lines}
        geometry={geometry}
        elements={elements}
        layout={arrange ?? `${rowHeight} ${tile?.width} ${width}`}
      />
    </div>
  )
}

interface RowWindowProps extends VirtualGridProps {
  lines: VisibleRows
  geometry: Geometry
  elements: GridElements
  /** Another value means another arrangement of the same rows. */
  layout: unknown
}

/**
 * The rows in view. Their elements are recycled and keep their place in the document, so that scrolling neither creates
 * elements nor moves the focused one; `aria-owns` gives screen readers the order once scrolling has stopped.
 */
function RowWindow(props: RowWindowProps) {
  const { lines, geometry, state, headerHeight, elements, renderCells, over } = props
  const rows = lines.lines.flatMap(line => rangeOf(...geometry.rowsOf(line)))
  const { slots, idOf } = useSlots(rows)
  const inPlace = rows.toSorted((a, b) => (slots.get(a) ?? 0) - (slots.get(b) ?? 0))
  const order = lines.scrolling ? undefined : rows.map(idOf).join(' ')
  useGlide({ rows, geometry, nameAt: props.nameAt, scrolling: lines.scrolling, layout: props.layout }, elements.body)
  const joined = (index: number) => !geometry.tiles && has(state.selected, index)
  return (
    <div
      ref={elements.body}
      role="rowgroup"
      className={styles.body}
      style={{ blockSize: lines.total, minBlockSize: `calc(100% - ${headerHeight}px - var(--scroll-end))` }}
      aria-owns={order}
    >
      {inPlace.map(index => {
        const selected = has(state.selected, index)
        const line = geometry.lineOf(index)
        return (
          <GridRow
            key={slots.get(index)}
            id={idOf(index)}
            index={index}
            position={index + (props.header ? 2 : 1)}
            top={geometry.topOf(line)}
            height={geometry.heightOf(line)}
            {...geometry.placeOf(index)}
            selected={selected}
            joinsBefore={selected && joined(index - 1)}
            joinsAfter={selected && joined(index + 1)}
            focusable={index === state.focus}
            draggable={(props.draggable ?? false) && (geometry.tiles || selected)}
            drop={props.dropAt?.(index)}
            renderCells={renderCells}
          />
        )
      })}
      {over && (
        <GridRow
          over
          index={over.index}
          position={over.index + (props.header ? 2 : 1)}
          top={geometry.topOf(geometry.lineOf(over.index))}
          height={geometry.heightOf(geometry.lineOf(over.index))}
          {...geometry.placeOf(over.index)}
          renderCells={() => over.cells}
        />
      )}
      {props.between?.(lines.lines)}
      <div ref={elements.band} className={styles.band} hidden />
    </div>
  )
}

const rangeOf = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

/** The assignment of elements to rows, derived from the previous one. */
function useSlots(indexes: readonly number[]) {
  const prefix = useId()
  const committed = useRef<ReadonlyMap<number, number>>(new Map())
  const slots = assignSlots(committed.current, indexes)
  useLayoutEffect(() => {
    committed.current = slots
  })
  return { slots, idOf: (index: number) => `${prefix}${slots.get(index)}` }
}
