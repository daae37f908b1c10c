import { type KeyboardEvent, type PointerEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { t, useLocale } from '../../../../lib/i18n/index.ts'
import { numberFormat } from '../../../../lib/i18n/intl.ts'
import type { GalleryGeometry } from './arrange.ts'
import { type Month, monthName } from './months.ts'
import styles from './timeline.module.css'
import { marksOf, monthAt, offsetOf } from './timeline-marks.ts'

interface TimelineProps {
  /** The element around the grid. */
  area: RefObject<HTMLElement | null>
  months: readonly Month[]
  geometry: RefObject<GalleryGeometry | undefined>
}

/** Lengths in CSS pixels. */
interface Seen {
  /** Of the time line. */
  height: number
  offset: number
  /** How far the grid can be scrolled. */
  reach: number
}

/** A time line next to a gallery: it shows the month in view, and scrolls to others by clicks, drags and keys. */
export default function Timeline({ area, months, geometry }: TimelineProps) {
  const { tag } = useLocale()
  const line = useRef<HTMLDivElement>(null)
  const seen = useSeen(area, line)
  const { current, choose } = useMonthInView(seen, geometry)
  const [pointed, setPointed] = useState<number>()
  const blocks = geometry.current?.months ?? []
  const at = seen.reach > 0 ? Math.min(1, seen.offset / seen.reach) : 0
  const scrollTo = (offset: number) => gridIn(area)?.scrollTo({ top: offset })
  const goTo = (index: number) => {
    const offset = offsetOf(blocks[index], seen.reach)
    choose(index, offset)
    scrollTo(offset)
  }
  const shareAt = ({ clientY }: PointerEvent) => {
    const box = line.current?.getBoundingClientRect()
    return box && box.height > 0 ? Math.max(0, Math.min(1, (clientY - box.top) / box.height)) : 0
  }
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const share = shareAt(event)
    setPointed(share)
    if (event.type === 'pointerdown') event.currentTarget.setPointerCapture(event.pointerId)
    if (event.currentTarget.hasPointerCapture(event.pointerId)) scrollTo(share * seen.reach)
  }
  const shownMonth = months[pointed === undefined ? current : monthAt(blocks, pointed * seen.reach)]
  const year = numberFormat(tag, { useGrouping: false })
  return (
    <div
      ref={line}
      role="slider"
      tabIndex={0}
      className={styles.line}
      data-arrows=""
      data-pointed={pointed === undefined ? undefined : ''}
      aria-label={t('preview.goTo')}
      aria-orientation="vertical"
      aria-valuemin={1}
      aria-valuemax={months.length}
      aria-valuenow={current + 1}
      aria-valuetext={months[current] && monthName(months[current])}
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onPointerLeave={() => setPointed(undefined)}
      onPointerCancel={() => setPointed(undefined)}
      onPointerUp={({ pointerType }) => pointerType !== 'mouse' && setPointed(undefined)}
      onKeyDown={event => onKey(event, months, current, goTo)}
    >
      {marksOf(months, blocks, seen).map(({ month, at: share, isYear }) => (
        <span key={month} className={isYear ? styles.year : styles.mark} style={{ insetBlockStart: `${share * 100}%` }}>
          {isYear && year.format(months[month]?.year ?? 0)}
        </span>
      ))}
      <span className={styles.handle} style={{ insetBlockStart: `${at * 100}%` }} />
      {shownMonth && (
        <span className={styles.bubble} style={{ insetBlockStart: `${(pointed ?? at) * 100}%` }}>
          {monthName(shownMonth)}
        </span>
      )}
    </div>
  )
}

const gridIn = (area: RefObject<HTMLElement | null>) => area.current?.querySelector<HTMLElement>('[role=grid]')

/** Where the grid is scrolled to; follows it, its content and its size. */
function useSeen(area: RefObject<HTMLElement | null>, line: RefObject<HTMLElement | null>): Seen {
  const [seen, setSeen] = useState<Seen>({ height: 0, offset: 0, reach: 0 })
  useLayoutEffect(() => {
    const grid = gridIn(area)
    if (!grid) return
    const measure = () =>
      setSeen({
        height: line.current?.clientHeight ?? 0,
        offset: grid.scrollTop,
        reach: grid.scrollHeight - grid.clientHeight,
      })
    measure()
    const observer = new ResizeObserver(measure)
    for (const element of [grid, ...grid.children]) observer.observe(element)
    grid.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      grid.removeEventListener('scroll', measure)
    }
  }, [area, line])
  return seen
}

/** The month at the upper edge; after a choice the chosen one, which may be below it at the end of the gallery. */
function useMonthInView({ offset }: Seen, geometry: TimelineProps['geometry']) {
  const [chosen, setChosen] = useState<{ index: number; offset: number }>()
  const isThere = chosen !== undefined && Math.abs(chosen.offset - offset) < 2
  return {
    current: isThere ? chosen.index : monthAt(geometry.current?.months ?? [], offset),
    choose: (index: number, at: number) => setChosen({ index, offset: at }),
  }
}

/** Arrows go by months, Page Up and Page Down by years. */
function onKey(event: KeyboardEvent, months: readonly Month[], current: number, goTo: (index: number) => void): void {
  const last = months.length - 1
  const year = months[current]?.year
  const targets: Partial<Record<string, number>> = {
    ArrowDown: current + 1,
    ArrowRight: current + 1,
    ArrowUp: current - 1,
    ArrowLeft: current - 1,
    PageDown: months.findIndex((month, index) => index > current && month.year !== year),
    PageUp: months.findLastIndex((month, index) => index < current && month.year !== year),
    Home: 0,
    End: last,
  }
  const target = targets[event.key]
  if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  event.stopPropagation()
  const missing = event.key === 'PageUp' ? 0 : last
  goTo(event.key.startsWith('Page') && target < 0 ? missing : Math.max(0, Math.min(last, target)))
}
