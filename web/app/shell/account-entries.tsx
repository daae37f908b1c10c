import type { TokenUser } from '../../../shared/api/users.ts'
import { LOCALE_NAMES } from '../../../shared/locale-names.ts'
import { LOCALES, type LocaleCode } from '../../../shared/locales.ts'
import { mayLogOut, pageConfig } from '../../lib/config.ts'
import { errorText } from '../../lib/error-text.ts'
import { t, useLocale } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useOnline } from '../../lib/online.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { navigate } from '../../lib/router.tsx'
import { logout, useSession } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import { setTheme, type Theme, useTheme } from '../../lib/theme.ts'
import {
  Bell,
  CircleHelp,
  CircleUser,
  Command,
  Languages,
  LogOut,
  Monitor,
  MonitorDown,
  Moon,
  Sun,
} from '../../ui/icons.ts'
import Menu, { type MenuProps } from '../../ui/menu.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import { installStore } from '../installed/offer.ts'

const THEMES: readonly {
  theme: Theme
  labelKey: 'nav.themeLight' | 'nav.themeDark' | 'nav.themeAuto'
  icon: typeof Sun
}[] = [
  { theme: 'light', labelKey: 'nav.themeLight', icon: Sun },
  { theme: 'dark', labelKey: 'nav.themeDark', icon: Moon },
  { theme: 'auto', labelKey: 'nav.themeAuto', icon: Monitor },
]

/** The open menu of the account. */
export default function AccountEntries(props: Omit<MenuProps, 'entries'>) {
  const { user } = useSession()
  const current = useTheme()
  const { code } = useLocale()
  const online = useOnline()
  const install = useStore(installStore)
  const entries: MenuEntry[] = THEMES.map(({ theme, labelKey, icon: Icon }, index) => ({
    id: theme,
    label: t(labelKey),
    icon: <Icon size={18} aria-hidden />,
    checked: theme === current,
    separated: index === 0 && user !== null,
    run: () => setTheme(theme),
  }))
  if (user) {
    entries.unshift({
      id: 'profile',
      label: user.username,
      icon: <CircleUser size={18} aria-hidden />,
      run: () => void navigate('/settings/profile'),
    })
    if (pageConfig.Dav) entries.splice(1, 0, connectEntry())
    entries.push({
      id: 'language',
      label: t('fields.language'),
      icon: <Languages size={18} aria-hidden />,
      separated: true,
      disabled: !online,
      entries: languagesFor(user, code),
    })
    entries.push({
      id: 'notices',
      label: t('nav.notices'),
      icon: <Bell size={18} aria-hidden />,
      run: () => openPrompt('notices', {}),
    })
    const icon = <Command size={18} aria-hidden />
    entries.push({
      id: 'palette',
      label: t('palette.title'),
      icon,
      keys: 'Ctrl+K',
      run: () => openPrompt('palette', {}),
    })
    entries.push({
      id: 'help',
      label: t('nav.helpTitle'),
      icon: <CircleHelp size={18} aria-hidden />,
      keys: 'F1',
      run: () => openPrompt('help', {}),
    })
  }
  if (install) {
    const icon = <MonitorDown size={18} aria-hidden />
    entries.push({ id: 'install', label: t('apps.install'), icon, run: install })
  }
  if (mayLogOut) {
    const icon = <LogOut size={18} aria-hidden />
    entries.push({ id: 'logout', label: t('nav.logout'), icon, separated: true, run: () => void logout() })
  }
  return <Menu {...props} entries={entries} />
}

const connectEntry = (): MenuEntry => ({
  id: 'connect',
  label: t('apps.connect'),
  icon: <Monitor size={18} aria-hidden />,
  run: () => void navigate('/settings/connect'),
})

/**
 * @param shown code of the language in use, whose tag may differ from the setting
 */
function languagesFor(user: TokenUser, shown: string): MenuEntry[] {
  const chosen = user.locale === '' ? '' : shown
  const entry = (code: LocaleCode | '', label: string) => ({
    id: code || 'browser',
    label,
    checked: code === chosen,
    run: () => void saveLanguage(user, code),
  })
  return [
    entry('', t('fields.languageBrowser')),
    ...LOCALES.map(({ code, tag }) => ({ ...entry(code, LOCALE_NAMES[code]), lang: tag })),
  ]
}

async function saveLanguage({ id, hideDotfiles, singleClick, dateFormat }: TokenUser, locale: string): Promise<void> {
  try {
    const { updateProfile } = await import('../../features/settings/api/profile.ts')
    await updateProfile(id, { locale, hideDotfiles, singleClick, dateFormat })
  } catch (error) {
    notify('error', errorText(error))
  }
}
