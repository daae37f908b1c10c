import type { ReactNode } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { lazyPart } from '../../../lib/lazy.ts'
import { useWindowClass } from '../../../lib/media.ts'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import styles from './slot.module.css'
import { useDetailsOpen } from './store.ts'

const Panel = lazyPart(() => import('./panel.tsx'))

/** A listing with the details panel next to it, when that is open and there is room. */
export function DetailsSlot({ children }: { children: ReactNode }) {
  const open = useDetailsOpen()
  const wide = useWindowClass() === 'wide'
  return (
    <div className={styles.split}>
      <div className={styles.listing}>{children}</div>
      {open && wide && (
        <aside className={styles.aside} aria-label={t('details.title')}>
          <LazyBoundary>
            <Panel />
          </LazyBoundary>
        </aside>
      )}
    </div>
  )
}
