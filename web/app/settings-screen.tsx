import { Suspense } from 'react'
import { SettingsLayout } from '../features/settings/layout.tsx'
import { t } from '../lib/i18n/index.ts'
import { lazyConnect, lazyHost, lazyPart, lazySettings, lazyWebhooks } from '../lib/lazy.ts'
import { loadPeople } from '../lib/people.ts'
import type { Route } from '../lib/route.ts'
import { useOpenName } from '../lib/title.ts'
import { Spinner } from '../ui/spinner.tsx'
import { settingsRouteTitle } from './settings-title.ts'

export type SettingsRoute = Extract<Route, { name: 'settings' }>

const ProfilePage = lazySettings(() => import('../features/settings/profile.tsx'))
const SecurityPage = lazySettings(() => import('../features/settings/security.tsx'))
const ConnectPage = lazyConnect(() => import('../features/connect/connect.tsx'))
const SharesPage = lazySettings(() => import('../features/settings/shares.tsx'))
const GlobalPage = lazySettings(() => import('../features/settings/global.tsx'))
const UsersPage = lazySettings(() => import('../features/users/list.tsx'))
const GroupsPage = lazyPart(() => loadPeople(() => import('../features/users/groups/list.tsx')))
const GroupPage = lazyPart(() => loadPeople(() => import('../features/users/groups/editor.tsx')))
const MountsPage = lazyPart(() => loadPeople(() => import('../features/users/mounts/page.tsx')))
const AuditLogPage = lazySettings(() => import('../features/audit/audit.tsx'))
const WebhooksPage = lazyWebhooks(() => import('../features/webhooks/webhooks.tsx'))
const IntegrityPage = lazySettings(() => import('../features/integrity/integrity.tsx'))
const DiagnosticsPage = lazyHost(() => import('../features/diagnostics/diagnostics.tsx'))
const UserPage = lazySettings(() => import('../features/users/editor.tsx'))

/** `/settings/*`: the tabs and one page. */
export default function SettingsScreen({ route }: { route: SettingsRoute }) {
  const title = settingsRouteTitle(route)
  useOpenName(title)
  const key = route.page === 'user' ? String(route.id) : `${route.page} ${route.group}`
  return (
    <SettingsLayout key={key} page={route.page === 'user' ? 'users' : route.page} title={title}>
      <Suspense fallback={<Spinner label={t('common.loading')} />}>
        <Page route={route} />
      </Suspense>
    </SettingsLayout>
  )
}

function Page({ route }: { route: SettingsRoute }) {
  switch (route.page) {
    case 'profile':
      return <ProfilePage />
    case 'security':
      return <SecurityPage />
    case 'connect':
      return <ConnectPage />
    case 'shares':
      return <SharesPage />
    case 'global':
      return <GlobalPage />
    case 'users':
      return <UsersPage />
    case 'groups':
      return route.group === undefined ? <GroupsPage /> : <GroupPage id={route.group} />
    case 'mounts':
      return <MountsPage />
    case 'audit':
      return <AuditLogPage />
    case 'webhooks':
      return <WebhooksPage />
    case 'integrity':
      return <IntegrityPage />
    case 'diagnostics':
      return <DiagnosticsPage />
    case 'user':
      return <UserPage id={route.id} />
  }
}
