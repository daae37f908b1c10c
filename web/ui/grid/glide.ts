import { rowElement } from './dom.ts'
import type { Geometry } from './geometry.ts'

/** The rows in view. */
export interface GlideProps {
  geometry: Geometry
  /** Indexes in the document. */
  rows: readonly number[]
  nameAt: (index: number) => string
  scrolling: boolean
  /** Another value means another arrangement: nothing glides. */
  layout: unknown
}

/** Milliseconds; short enough that a click meets the row that it aims at. */
const DURATION = 160

/** The places of rows by name, and the arrangement that they belong to. */
export interface Arrangement {
  places: ReadonlyMap<string, number>
  layout: unknown
}

/** Lets rows glide from where they were. @returns where they are */
export function glideRows(before: Arrangement | undefined, props: GlideProps, body: HTMLElement | null): Arrangement {
  const { rows, nameAt, scrolling, layout, geometry } = props
  const places = placesOf(rows, nameAt)
  if (before && !scrolling && before.layout === layout) {
    const moved = [...places].flatMap(([name, index]) => {
      const from = before.places.get(name) ?? index
      return from === index ? [] : [{ index, from }]
    })
    const still = moved.length === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches
    if (!still) glide(body, geometry, moved)
  }
  return { places, layout }
}

/** Index by name; names that occur twice, as in search results, are left out. */
function placesOf(rows: readonly number[], nameAt: (index: number) => string): Map<string, number> {
  const places = new Map<string, number>()
  const twice = new Set<string>()
  for (const index of rows) {
    const name = nameAt(index)
    if (places.has(name)) twice.add(name)
    places.set(name, index)
  }
  for (const name of twice) places.delete(name)
  return places
}

function glide(body: HTMLElement | null, geometry: Geometry, moved: readonly { index: number; from: number }[]): void {
  const top = (index: number) => geometry.topOf(geometry.lineOf(index))
  const steps = moved.flatMap(({ index, from }) => {
    const element = rowElement(body, index)
    const left = geometry.tiles ? leftOf(rowElement(body, from)) - leftOf(element) : 0
    return element?.animate && !Number.isNaN(left) ? [{ element, by: `${left}px ${top(from) - top(index)}px` }] : []
  })
  for (const { element, by } of steps) {
    element.animate([{ translate: by }, { translate: 'none' }], { duration: DURATION, easing: 'ease-out' })
  }
}

/** Elements are recycled by index, so the former place of a tile is that of the element with its former index. */
const leftOf = (tile: HTMLElement | null): number => tile?.getBoundingClientRect().left ?? Number.NaN
