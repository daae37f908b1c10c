import { createPortal } from 'react-dom'
import { musicStore } from '../features/preview/music/store.ts'
import { lazyPart, lazyTool } from '../lib/lazy.ts'
import { useStore } from '../lib/store.ts'
import { lateShapesStore } from '../ui/late-icons.ts'
import * as shapes from '../ui/late-shapes.ts'
import { LazyBoundary } from '../ui/lazy-boundary.tsx'
import { Tip } from '../ui/tip.tsx'
import { NoticeRegion } from './notices.tsx'

const MusicCard = lazyTool(() => import('../features/preview/music/card.tsx'))
const Installed = lazyTool(() => import('./installed/host.tsx'))

const Received = lazyPart(() => import('../features/shares/received.tsx'))

lateShapesStore.set(shapes)

/** What appears above every screen, but never with the first one: notices, the tooltip, and what an app needs. */
export default function Overlays() {
  return (
    <>
      <NoticeRegion />
      <Tip />
      <LazyBoundary>
        <Installed />
      </LazyBoundary>
      <LazyBoundary>
        <Received />
      </LazyBoundary>
      <LazyBoundary>
        <Music />
      </LazyBoundary>
    </>
  )
}

/** The music that plays, if any, in the tray. */
function Music() {
  const music = useStore(musicStore)
  const activities = document.getElementById('activity')
  return music && activities && createPortal(<MusicCard music={music} />, activities)
}
