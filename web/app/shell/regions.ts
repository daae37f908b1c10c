/** The regions that F6 cycles through, in document order: sidebar, content, details, activity, notices. */
const REGIONS = 'nav[data-region], main, aside, section[data-region]'
const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]'
/** The initial focus of a region: the current row of a grid, if there is one. */
const FIRST = '[role="grid"] [data-index][tabindex="0"]'

const last = new WeakMap<Element, HTMLElement>()

const visible = (element: Element): boolean => element.checkVisibility() && !element.closest('[inert]')

/**
 * Moves the focus to the next region, or the previous one. @returns false after the last one: the browser's own F6 then
 * continues with its own parts
 */
export function goToRegion(step: 1 | -1): boolean {
  const regions = [...document.querySelectorAll<HTMLElement>(REGIONS)].filter(
    region => visible(region) && entryOf(region) !== undefined,
  )
  const active = document.activeElement
  const here = regions.findLastIndex(region => region.contains(active))
  const left = regions[here]
  if (left && active instanceof HTMLElement) last.set(left, active)
  const next = regions[here < 0 && step < 0 ? regions.length - 1 : here + step]
  if (!next) return false
  entryOf(next)?.focus()
  return true
}

/** Moves the focus to the first activity panel. */
export function goToActivities(): void {
  const panel = document.querySelector<HTMLElement>('section[data-activity]')
  if (panel) entryOf(panel)?.focus()
}

function entryOf(region: HTMLElement): HTMLElement | undefined {
  const before = last.get(region)
  if (before && region.contains(before) && visible(before)) return before
  const first = region.querySelector<HTMLElement>(FIRST)
  return first ?? [...region.querySelectorAll<HTMLElement>(FOCUSABLE)].find(visible)
}
