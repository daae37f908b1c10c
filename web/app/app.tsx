import { Suspense, useEffect } from 'react'
import type { FilePath } from '../../shared/path.ts'
import { pageConfig } from '../lib/config.ts'
import { forgetKept } from '../lib/history.ts'
import { t, useLocale } from '../lib/i18n/index.ts'
import { lazyHistory, lazyPart, lazySettings, lazyTool } from '../lib/lazy.ts'
import { forgetNotices } from '../lib/notices.ts'
import { queryClient } from '../lib/query.ts'
import { guard } from '../lib/route.ts'
import { navigate, type Route, usePlace } from '../lib/router.tsx'
import { sessionStore, useSession } from '../lib/session.ts'
import { LazyBoundary } from '../ui/lazy-boundary.tsx'
import { Spinner } from '../ui/spinner.tsx'
import styles from './activity.module.css'
import { PageBoundary, ScreenBoundary } from './errors/boundary.tsx'
import { FilesScreen } from './files-screen.tsx'
import { PromptHost } from './prompt-host.tsx'
import { Shell } from './shell/shell.tsx'
import { useTitle } from './title.ts'

const StatusPage = lazyPart(() => import('./errors/status-page.tsx'))
const Trays = lazyPart(() => import('./trays.tsx'))
const Overlays = lazyPart(() => import('./overlays.tsx'))
const ShareScreen = lazyPart(() => import('./share-screen.tsx'))
const LoginScreen = lazyPart(() => import('../features/auth/login.tsx'))
const SnapshotScreen = lazyHistory(() => import('./snapshot-screen.tsx'))
const TrashScreen = lazyHistory(() => import('./trash-screen.tsx'))
const MarksScreen = lazyHistory(() => import('./marks-screen.tsx'))
const HistoryPage = lazyHistory(() => import('../features/history/history.tsx'))
const SearchPage = lazyHistory(() => import('../features/search/page.tsx'))
const UsagePage = lazyTool(() => import('../features/disk-usage/page.tsx'))
const SettingsScreen = lazySettings(() => import('./settings-screen.tsx'))

/** The application: providers, guards, the screen of the current address. */
export function App({ onMount }: { onMount: () => void }) {
  useEffect(onMount, [onMount])
  // A new language re-renders everything below in place; `memo` components subscribe themselves.
  useLocale()
  return (
    <PageBoundary>
      <Screens />
      <div id="activity" ref={measureActivity} className={styles.activity}>
        <LazyBoundary>
          <Trays />
        </LazyBoundary>
      </div>
      <LazyBoundary>
        <Overlays />
      </LazyBoundary>
      <PromptHost />
    </PageBoundary>
  )
}

/** Publishes the height of the floating cards to the style sheets. */
function measureActivity(cards: HTMLElement | null) {
  if (!cards) return
  const root = document.documentElement
  const observer = new ResizeObserver(() => {
    root.toggleAttribute('data-floating', cards.offsetHeight > 0)
    root.style.setProperty('--activity-size', `${cards.offsetHeight}px`)
  })
  observer.observe(cards)
  return () => observer.disconnect()
}

function Screens() {
  const { route, address } = usePlace()
  const { user, reason } = useSession()
  const target = route.name === 'redirect' ? route.to : guard(route, address, user)
  // After an explicit sign-out the user need not return to the last address.
  const redirect = target?.startsWith('/login') && reason === 'logout' ? '/login' : target
  useEffect(() => {
    if (redirect !== undefined) void navigate(redirect, { replace: true })
  }, [redirect])
  useForgetOtherUser(user?.id)
  useTitle(route)
  if (redirect !== undefined || route.name === 'redirect') return null
  return <Screen route={route} address={address} loggedIn={user !== null} />
}

/** One user's data must not be shown to the next. */
function useForgetOtherUser(id: number | undefined): void {
  useEffect(() => {
    if (id === undefined) return
    return () => {
      queryClient.clear()
      forgetNotices()
      if (sessionStore.get().reason === 'logout') forgetKept()
    }
  }, [id])
}

function Screen({ route, address, loggedIn }: { route: Route; address: string; loggedIn: boolean }) {
  const content = (
    <ScreenBoundary address={address}>
      <Content route={route} />
    </ScreenBoundary>
  )
  if (route.name === 'login' || route.name === 'share') return content
  return loggedIn ? <Shell>{content}</Shell> : <main>{content}</main>
}

function Content({ route }: { route: Route }) {
  if (route.name === 'login') return <LoginRoute signUp={route.signUp} link={route.link} />
  if (route.name === 'share') return <ShareRoute hash={route.hash} path={route.path} />
  if (route.name === 'files') return <FilesScreen path={route.path} folderHint={route.folderHint} as={route.as} />
  return (
    <Suspense fallback={<Spinner label={t('common.loading')} />}>
      <LaterScreen route={route} />
    </Suspense>
  )
}

/** The screens that the first page does not need. */
function LaterScreen({ route }: { route: Route }) {
  if (route.name === 'error') return <StatusPage status={route.code} />
  if (route.name === 'snapshot') return <SnapshotScreen route={route} />
  if (route.name === 'trash') return <TrashScreen route={route} />
  if (route.name === 'marks') return <MarksScreen route={route} />
  if (route.name === 'history') return <HistoryPage from={route.from} />
  if (route.name === 'usage') return <UsagePage path={route.path} />
  if (route.name === 'search') return <SearchPage place={route} />
  return route.name === 'settings' && <SettingsScreen route={route} />
}

/** The same for all visitors, signed in or not: without the shell. */
function ShareRoute({ hash, path }: { hash: string; path: FilePath }) {
  return (
    <Suspense fallback={<Spinner label={t('common.loading')} />}>
      <ShareScreen hash={hash} path={path} />
    </Suspense>
  )
}

function LoginRoute({ signUp, link }: { signUp: boolean; link: boolean }) {
  const { reason } = useSession()
  return (
    <Suspense fallback={<Spinner label={t('common.loading')} />}>
      {pageConfig.LoginPage || link ? (
        <LoginScreen expired={reason === 'expired'} signUp={signUp && pageConfig.Signup} link={link} />
      ) : (
        <main>
          <StatusPage status={403} />
        </main>
      )}
    </Suspense>
  )
}
