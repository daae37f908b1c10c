/** Where a swipe goes: towards the inline start or end, or down. */
export type SwipeWay = 'start' | 'end' | 'down'

/** A finger that may swipe: where it began, and its direction once that is settled. */
export interface FollowedSwipe {
  id: number
  x: number
  y: number
  way?: SwipeWay | undefined
}

/** Minimum ratio between the distances along and across. */
const STRAIGHT = 1.5
/** Share of its distance by which a file follows a finger where there is no neighbour. */
const RESISTANCE = 0.25
/** CSS pixels down at which a file has faded by half. */
const HALF_FADED = 400
/** Milliseconds to return, or to leave; as in the style sheet. */
const SETTLING = 200
/** Milliseconds after which a file returns whose neighbour is not shown. */
const LATE = 2000

/** The direction of a movement; `undefined` for one across, or up. @param right and `down` in CSS pixels */
export function swipeWay(right: number, down: number, rtl: boolean): SwipeWay | undefined {
  if (down > Math.abs(right) * STRAIGHT) return 'down'
  if (right === 0 || Math.abs(right) < Math.abs(down) * STRAIGHT) return undefined
  return right > 0 === rtl ? 'start' : 'end'
}

/** Moves the children of an area along with a finger; not where users want less motion. */
export function followFinger(
  area: HTMLElement | null,
  way: SwipeWay,
  { right, down }: { right: number; down: number },
  leads: boolean,
): void {
  if (!area || isStill()) return
  const [x, y] = way === 'down' ? [0, Math.max(0, down)] : [leads ? right : right * RESISTANCE, 0]
  place(area, 'following', x, y)
}

/** Moves the children out of an area, and then acts; down it acts at once. */
export function leave(area: HTMLElement | null, way: SwipeWay, right: number, act: () => void): void {
  if (!area || way === 'down' || isStill()) {
    act()
    return
  }
  place(area, 'settling', Math.sign(right) * area.clientWidth, 0)
  pending = setTimeout(() => {
    pending = setTimeout(() => putBack(area), LATE)
    act()
  }, SETTLING)
}

/** Moves the children back, and calls `onBack` afterwards. */
export function springBack(area: HTMLElement | null, onBack: () => void): void {
  if (area?.dataset.swipe !== 'following') {
    onBack()
    return
  }
  place(area, 'settling', 0, 0)
  pending = setTimeout(() => {
    putBack(area)
    onBack()
  }, SETTLING)
}

/** Puts the children back at once. */
export function putBack(area: HTMLElement | null): void {
  clearTimeout(pending)
  area?.removeAttribute('data-swipe')
}

/** What follows a movement; the next one takes its place. There is one viewer at a time. */
let pending: ReturnType<typeof setTimeout> | undefined

function place(area: HTMLElement, state: 'following' | 'settling', x: number, y: number): void {
  clearTimeout(pending)
  area.dataset.swipe = state
  area.style.setProperty('--swipe-x', `${x}px`)
  area.style.setProperty('--swipe-y', `${y}px`)
  area.style.setProperty('--swipe-fade', String(1 / (1 + y / HALF_FADED)))
  if (x !== 0) area.style.setProperty('--swipe-side', String(-Math.sign(x)))
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches
