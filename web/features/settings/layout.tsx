import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { t } from '../../lib/i18n/index.ts'
import { lazySignIn } from '../../lib/lazy.ts'
import { useOnline } from '../../lib/online.ts'
import { placesStore } from '../../lib/other-places.ts'
import { maySee, SETTINGS_PAGES, type SettingsPage } from '../../lib/route.ts'
import { Link } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import { WifiOff } from '../../ui/icons.ts'
import styles from './layout.module.css'

const ProviderOutcome = lazySignIn(() => import('./factors/provider-outcome.tsx'))

/** What a server adds to the address of a page to which a provider sends the browser back (http-api 45, 46). */
const OUTCOMES = ['linked', 'confirmed', 'problem']

/** The first page that is about the server, not about the user. */
const FIRST_OF_SERVER: SettingsPage = 'global'

export interface SettingsLayoutProps {
  /** The current tab. */
  page: SettingsPage
  /** Names the page; gets the focus when the page is opened. */
  title: string
  children: ReactNode
}

/** The layout of all settings pages: the tabs the user may open, and the page's heading. */
export function SettingsLayout({ page, title, children }: SettingsLayoutProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const online = useOnline()
  const [isBack] = useState(() => OUTCOMES.some(name => new URLSearchParams(location.search).has(name)))
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={styles.page}>
      <Tabs page={page} />
      {isBack && (
        <Suspense fallback={null}>
          <ProviderOutcome />
        </Suspense>
      )}
      {!online && (
        <p className={styles.offline} role="status">
          <WifiOff size={16} aria-hidden />
          {t('settings.offline')}
        </p>
      )}
      <div className={styles.scroll}>
        <div className={styles.content}>
          <h1 ref={heading} className={styles.title} tabIndex={-1}>
            {title}
          </h1>
          {children}
        </div>
      </div>
    </div>
  )
}

function Tabs({ page }: { page: SettingsPage }) {
  const { user } = useSession()
  const places = useStore(placesStore)
  const current = useRef<HTMLLIElement>(null)
  useEffect(() => {
    current.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [])
  const pages = SETTINGS_PAGES.filter(name => user && maySee(name, user, places?.sharesLinks))
  const labels: Record<SettingsPage, string> = {
    profile: t('settings.tabProfile'),
    security: t('titles.security'),
    connect: t('apps.connect'),
    shares: t(user?.perm.admin ? 'titles.shares' : 'nav.shared'),
    global: t('settings.tabGlobal'),
    users: t('settings.tabUsers'),
    groups: t('titles.groups'),
    mounts: t('titles.mounts'),
    audit: t('titles.audit'),
    webhooks: t('titles.webhooks'),
    integrity: t('titles.integrity'),
    diagnostics: t('titles.diagnostics'),
  }
  return (
    <nav className={styles.nav} aria-label={t('nav.settings')}>
      <ul className={styles.tabs}>
        {pages.map(name => (
          <li
            key={name}
            ref={name === page ? current : undefined}
            className={name === FIRST_OF_SERVER ? styles.server : undefined}
          >
            <Link to={`/settings/${name}`} className={styles.tab} aria-current={name === page ? 'page' : undefined}>
              {labels[name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
