import type { ReactNode } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { lazyPart } from '../../../lib/lazy.ts'
import { useWindowClass } from '../../../lib/media.ts'
import { Part } from '../../../ui/lazy-boundary.tsx'
import styles from './slot.module.css'
import { useDetailsOpen } from './store.ts'

const Panel = lazyPart(() => import('./panel.tsx'))

/** A listing, and beside it the details when they are open and there is room. */
export function DetailsSlot({ children }: { children: ReactNode }) {
  const open = useDetailsOpen()
  const wide = useWindowClass() === 'wide'
  return (
    <div className={styles.split}>
      <div className={styles.listing}>{children}</div>
      {open && wide && (
        <aside className={styles.aside} aria-label={t('details.title')}>
          <Part>
            <Panel />
          </Part>
        </aside>
      )}
    </div>
  )
}
