import { type MouseEvent, useState } from 'react'
import { parsePath, ROOT } from '../../../../shared/path.ts'
import { lazyPart } from '../../../lib/lazy.ts'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'

const PathMenu = lazyPart(() => import('./path-menu.tsx'))

/** The context menu of links to folders in the sidebar and in the path: its trigger, and its element while it is open. */
export function usePathMenu() {
  const [at, setAt] = useState<{ link: HTMLElement; x: number; y: number }>()
  const open = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-drop]') : null
    if (!link || link.dataset.drop === ROOT) return
    event.preventDefault()
    setAt({ link, x: event.clientX, y: event.clientY })
  }
  const close = () => setAt(undefined)
  const element = at && (
    <LazyBoundary onMissing={close}>
      <PathMenu
        key={`${at.x} ${at.y}`}
        path={parsePath(at.link.dataset.drop ?? ROOT)}
        x={at.x}
        y={at.y}
        returnFocus={() => at.link}
        onClose={close}
      />
    </LazyBoundary>
  )
  return { open, element }
}
