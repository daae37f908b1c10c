import { Tip } from '../ui/tip.tsx'
import { NoticeRegion } from './notices.tsx'

/** What appears above every screen, but never with the first one: notices and the tooltip. */
export default function Overlays() {
  return (
    <>
      <NoticeRegion />
      <Tip />
    </>
  )
}
