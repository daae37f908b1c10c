/** Index of an event's row; -1 outside the rows. */
export function indexOfRow(target: EventTarget | null): number {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]') : null
  return row ? Number(row.dataset.index) : -1
}

export function rowElement(grid: HTMLElement | null, index: number): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-index="${index}"]`) ?? null
}

/** Focuses a row, or the grid itself if the row is not rendered. Does not scroll. */
export function focusRowElement(grid: HTMLElement | null, index: number): void {
  const target = rowElement(grid, index) ?? grid
  target?.focus({ preventScroll: true })
}

/** The name of a row is no stop: Enter opens the row itself. */
const CONTROLS = 'a[href]:not([data-row-link]), button, input, select, textarea'

/**
 * Moves the focus between a row and the controls in its cells with the inline arrow keys. @returns whether the key was
 * one of those
 */
export function moveInsideRow(key: string, target: EventTarget | null): boolean {
  if ((key !== 'ArrowLeft' && key !== 'ArrowRight') || !(target instanceof HTMLElement)) return false
  const row = target.closest<HTMLElement>('[data-index]')
  if (!row) return false
  const stops = [row, ...row.querySelectorAll<HTMLElement>(CONTROLS)]
  const forward = (key === 'ArrowRight') === (getComputedStyle(row).direction === 'ltr')
  const next = stops[stops.indexOf(target) + (forward ? 1 : -1)]
  next?.focus({ preventScroll: true })
  return true
}

/** Whether the event's target is a control inside a row, not the row itself. */
export function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(CONTROLS)
}
