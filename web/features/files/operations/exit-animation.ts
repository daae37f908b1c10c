/** Milliseconds in which rows fade and those below them close up. */
const FADE_TIME = 180

interface Place {
  x: number
  y: number
  element: HTMLElement
}

/**
 * Removes rows from the listing on the screen and animates it: they fade in place while the others move up. Only the
 * visuals take time: the keyboard and screen readers act on the new listing at once.
 * @param change removes the rows
 */
export function withExitAnimation(change: () => void): void {
  const body = document.querySelector('main [role=grid] [data-index]')?.parentElement
  if (!body || matchMedia('(prefers-reduced-motion: reduce)').matches) {
    change()
    return
  }
  const before = placesIn(body, row => row.cloneNode(true) as HTMLElement)
  change()
  requestAnimationFrame(() => {
    if (body.isConnected) settle(body, before)
  })
}

/** Positions of the rows by name. Row elements are recycled. */
function placesIn(body: HTMLElement, keep: (row: HTMLElement) => HTMLElement): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  for (const row of body.querySelectorAll<HTMLElement>('[data-index]')) {
    const { x, y } = row.getBoundingClientRect()
    const name = row.querySelector('input')?.ariaLabel
    if (name) places.set(name, { x, y, element: keep(row) })
  }
  return places
}

function settle(body: HTMLElement, before: ReadonlyMap<string, Place>): void {
  const now = placesIn(body, row => row)
  for (const [name, { x, y, element }] of now) {
    const was = before.get(name)
    if (was && was.x === x && was.y === y) continue
    const from = was ? { translate: `${was.x - x}px ${was.y - y}px` } : { opacity: 0 }
    element.animate([from, {}], { duration: FADE_TIME, easing: 'ease-out' })
  }
  for (const [name, { element }] of before) if (!now.has(name)) fade(body, element)
}

function fade(body: HTMLElement, copy: HTMLElement): void {
  for (const attribute of ['id', 'role', 'data-index', 'tabindex']) copy.removeAttribute(attribute)
  copy.inert = true
  body.append(copy)
  const fading = copy.animate({ opacity: [1, 0] }, { duration: FADE_TIME, easing: 'ease-in' })
  fading.onfinish = () => copy.remove()
}
