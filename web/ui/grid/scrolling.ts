let scrolling = false

/** Whether a grid is being scrolled: expensive content may wait until it stops. */
export function isScrolling(): boolean {
  return scrolling
}

export function setScrolling(now: boolean): void {
  scrolling = now
}
