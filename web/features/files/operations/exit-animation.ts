/** Milliseconds in which removed rows fade. */
const FADE_TIME = 180

/**
 * Removes rows from the listing on the screen; they fade in place while the grid moves the others up. Only the visuals
 * take time: the keyboard and screen readers act on the new listing at once.
 * @param change removes the rows
 */
export function withExitAnimation(change: () => void): void {
  const body = document.querySelector('main [role=grid] [data-index]')?.parentElement
  if (!body || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    change()
    return
  }
  const before = rowsIn(body).map(row => ({ name: nameOf(row), copy: row.cloneNode(true) as HTMLElement }))
  change()
  requestAnimationFrame(() => {
    if (!body.isConnected) return
    const names = new Set(rowsIn(body).map(nameOf))
    for (const { name, copy } of before) if (name && !names.has(name)) fade(body, copy)
  })
}

const rowsIn = (body: HTMLElement) => [...body.querySelectorAll<HTMLElement>('[data-index]')]

/** Row elements are recycled, so the labels of their check boxes identify the rows. */
const nameOf = (row: HTMLElement) => row.querySelector('input')?.ariaLabel

function fade(body: HTMLElement, copy: HTMLElement): void {
  for (const attribute of ['id', 'role', 'data-index', 'tabindex']) copy.removeAttribute(attribute)
  copy.inert = true
  body.append(copy)
  const fading = copy.animate({ opacity: [1, 0] }, { duration: FADE_TIME, easing: 'ease-in' })
  fading.onfinish = () => copy.remove()
}
