import { t } from '../lib/i18n/index.ts'
import type { Route, SettingsPage } from '../lib/route.ts'
import { sessionStore } from '../lib/session.ts'

/** Title of a page of the settings. */
export function settingsTitle(page: SettingsPage): string {
  const titles: Record<SettingsPage, string> = {
    profile: t('titles.profile'),
    security: t('titles.security'),
    connect: t('apps.connect'),
    shares: t(sessionStore.get().user?.perm.admin ? 'titles.shares' : 'nav.shared'),
    global: t('titles.global'),
    users: t('titles.users'),
    groups: t('titles.groups'),
    mounts: t('titles.mounts'),
    audit: t('titles.audit'),
    webhooks: t('titles.webhooks'),
    integrity: t('titles.integrity'),
    diagnostics: t('titles.diagnostics'),
  }
  return titles[page]
}

/** The same, also of the editor of one user. */
export function settingsRouteTitle(route: Extract<Route, { name: 'settings' }>): string {
  if (route.page !== 'user') return settingsTitle(route.page)
  return t(route.id === 'new' ? 'titles.newUser' : 'titles.user')
}
