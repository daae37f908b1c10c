/** The parts of the page that F6 goes through, in the order of the document: sidebar, content, details, activity, notices. */
const REGIONS = 'nav[data-region], main, aside, section[data-region]'
const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, [tabindex="0"]'
/** Where a region's focus belongs when nobody has been there: the current row of a grid, if there is one. */
const FIRST = '[role="grid"] [data-index][tabindex="0"]'

const last = new WeakMap<Element, HTMLElement>()

const visible = (element: Element): boolean => element.checkVisibility() && !element.closest('[inert]')

/**
 * Moves the focus to the next part of the page, or the one before. Answers `false` after the last one: the browser's own
 * F6 then goes on to its own parts.
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

/** Moves the focus to the first panel of what goes on by itself. */
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
