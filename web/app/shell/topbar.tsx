import { SearchBox } from '../../features/search/box.tsx'
import { TerminalToggle } from '../../features/terminal/toggle.tsx'
import { mayLogOut } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { logout, useSession } from '../../lib/session.ts'
import { setTheme, type Theme, useTheme } from '../../lib/theme.ts'
import { IconButton } from '../../ui/button.tsx'
import { CircleUser, LogOut, Monitor, Moon, PanelLeft, Sun } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import styles from './topbar.module.css'

const THEMES: readonly {
  theme: Theme
  labelKey: 'nav.themeLight' | 'nav.themeDark' | 'nav.themeAuto'
  icon: typeof Sun
}[] = [
  { theme: 'light', labelKey: 'nav.themeLight', icon: Sun },
  { theme: 'dark', labelKey: 'nav.themeDark', icon: Moon },
  { theme: 'auto', labelKey: 'nav.themeAuto', icon: Monitor },
]

export interface TopBarProps {
  /** Whether the sidebar shows its texts. */
  expanded: boolean
  onToggle: () => void
}

export function TopBar({ expanded, onToggle }: TopBarProps) {
  return (
    <header className={styles.topbar}>
      <IconButton label={t('nav.toggleSidebar')} aria-expanded={expanded} onClick={onToggle}>
        <PanelLeft size={18} aria-hidden />
      </IconButton>
      <div className={styles.middle}>
        <SearchBox />
      </div>
      <TerminalToggle />
      <AccountMenu />
    </header>
  )
}

function AccountMenu() {
  const { user } = useSession()
  const current = useTheme()
  const entries: MenuEntry[] = THEMES.map(({ theme, labelKey, icon: Icon }) => ({
    id: theme,
    label: t(labelKey),
    icon: <Icon size={18} aria-hidden />,
    checked: theme === current,
    run: () => setTheme(theme),
  }))
  if (mayLogOut) {
    const icon = <LogOut size={18} aria-hidden />
    entries.push({ id: 'logout', label: t('nav.logout'), icon, separated: true, run: () => void logout() })
  }
  return (
    <MenuButton label={t('nav.account', { name: user?.username ?? '' })} entries={entries}>
      <CircleUser size={20} aria-hidden />
    </MenuButton>
  )
}
