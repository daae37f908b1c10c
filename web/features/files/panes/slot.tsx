import type { ReactNode } from 'react'
import type { FilePath } from '../../../../shared/path.ts'
import { lazyTool } from '../../../lib/lazy.ts'
import { useWindowClass } from '../../../lib/media.ts'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import styles from './slot.module.css'
import { useSecondPane } from './store.ts'

const SecondPane = lazyTool(() => import('./second-pane.tsx'))

interface PaneSlotProps {
  /** The folder of the first pane. */
  path: FilePath
  children: ReactNode
}

/** A folder with a second one next to it, when that is open and there is room. */
export function PaneSlot({ path, children }: PaneSlotProps) {
  const second = useSecondPane()
  const wide = useWindowClass() === 'wide'
  return (
    <div className={styles.panes}>
      <div className={styles.first}>{children}</div>
      {second !== undefined && wide && (
        <div className={styles.second}>
          <LazyBoundary>
            <SecondPane path={second} other={path} />
          </LazyBoundary>
        </div>
      )}
    </div>
  )
}
