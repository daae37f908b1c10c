import { SearchBox } from '../../features/search/box.tsx'
import { TerminalToggle } from '../../features/terminal/toggle.tsx'
import { useActivities } from '../../lib/activity.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazyPart } from '../../lib/lazy.ts'
import { IconButton } from '../../ui/button.tsx'
import { PanelLeft } from '../../ui/icons.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { AccountMenu } from './account-menu.tsx'
import styles from './topbar.module.css'

const ActivityButton = lazyPart(() => import('./activity-button.tsx'))

export interface TopBarProps {
  /** Whether the sidebar shows its texts. */
  expanded: boolean
  onToggle: () => void
}

export function TopBar({ expanded, onToggle }: TopBarProps) {
  const busy = Object.keys(useActivities()).length > 0
  return (
    <header className={styles.topbar}>
      <IconButton label={t('nav.toggleSidebar')} aria-expanded={expanded} onClick={onToggle}>
        <PanelLeft size={18} aria-hidden />
      </IconButton>
      <div className={styles.middle}>
        <SearchBox />
      </div>
      <LazyBoundary>{busy && <ActivityButton />}</LazyBoundary>
      <TerminalToggle />
      <AccountMenu />
    </header>
  )
}
