const DELAY = 100

let region: HTMLElement | undefined

/** Created on first use and kept, because screen readers ignore a live region inserted together with its text. */
function liveRegion(): HTMLElement {
  if (region?.isConnected) return region
  region = document.createElement('div')
  region.className = 'visually-hidden'
  region.setAttribute('role', 'status')
  document.body.append(region)
  return region
}

let timer: ReturnType<typeof setTimeout> | undefined

/** Announces to screen readers what is visible on the screen; the last of several at once wins. */
export function announce(text: string): void {
  const target = liveRegion()
  target.textContent = ''
  clearTimeout(timer)
  timer = setTimeout(() => {
    target.textContent = text
  }, DELAY)
}
