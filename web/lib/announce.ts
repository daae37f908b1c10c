const DELAY = 100

let region: HTMLElement | undefined

/** Made on first use and kept, because a region that appears together with its text stays silent. */
function liveRegion(): HTMLElement {
  if (region?.isConnected) return region
  region = document.createElement('div')
  region.className = 'visually-hidden'
  region.setAttribute('role', 'status')
  document.body.append(region)
  return region
}

let timer: ReturnType<typeof setTimeout> | undefined

/** Tells screen readers something that everybody else can see; the last of several at once wins. */
export function announce(text: string): void {
  const target = liveRegion()
  target.textContent = ''
  clearTimeout(timer)
  timer = setTimeout(() => {
    target.textContent = text
  }, DELAY)
}
