/**
 * Container of a popup anchored at `anchor`: inside its landmark, so that no content lies outside all of them, and
 * inside an open modal dialog, outside of which nothing can be reached.
 */
export function layerHome(anchor: Element | null): HTMLElement {
  return (
    anchor?.closest<HTMLElement>('dialog, [role="dialog"], main, nav, header, aside') ??
    document.querySelector('main') ??
    document.body
  )
}
