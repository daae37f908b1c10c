import type { MonthBlock } from './arrange.ts'
import type { Month } from './months.ts'

/** A month on a time line. */
export interface TimelineMark {
  /** Index of the month. */
  month: number
  /** Share of the height, from 0 to 1. */
  at: number
  /** Whether it has the label of its year. */
  isYear: boolean
}

/** Lengths in CSS pixels. */
export interface TimelineSize {
  /** Of the time line. */
  height: number
  /** How far the gallery can be scrolled. */
  reach: number
}

/** Least distances between the labels of years, and between marks, in CSS pixels. */
const YEAR_SPACE = 24
const MARK_SPACE = 7

/** Where a month is scrolled to: to the upper edge, or as near to it as it goes. */
export const offsetOf = (block: MonthBlock | undefined, reach: number): number => Math.min(block?.top ?? 0, reach)

/** The months that have room on a time line, from the top: first of all those with the label of their year. */
export function marksOf(months: readonly Month[], blocks: readonly MonthBlock[], size: TimelineSize): TimelineMark[] {
  const placed = months.map(({ year }, month) => ({
    month,
    at: size.reach > 0 ? offsetOf(blocks[month], size.reach) / size.reach : 0,
    isYear: months[month - 1]?.year !== year,
  }))
  const far = (others: readonly TimelineMark[], { at }: TimelineMark, space: number) =>
    others.every(other => Math.abs(other.at - at) * size.height >= space)
  const years: TimelineMark[] = []
  for (const mark of placed) if (mark.isYear && far(years, mark, YEAR_SPACE)) years.push(mark)
  const others: TimelineMark[] = []
  for (const mark of placed) {
    if (far(years, mark, YEAR_SPACE / 2) && far(others, mark, MARK_SPACE)) others.push({ ...mark, isYear: false })
  }
  return [...years, ...others].sort((one, other) => one.at - other.at)
}

/** The month at a distance from the top of the gallery. */
export function monthAt(blocks: readonly MonthBlock[], offset: number): number {
  return Math.max(
    0,
    blocks.findLastIndex(({ top }) => top <= offset + 1),
  )
}
