import { parentOf, ROOT } from '../../../shared/path.ts'
import { instanceName, pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazyPart } from '../../lib/lazy.ts'
import { type PlaceEntry, placesStore } from '../../lib/other-places.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { HOME_URL, historyUrl, Link, trashUrl, usePlace, useRoute } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { Clock, Folder, History, Settings, Share2, Trash2 } from '../../ui/icons.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { Star } from '../../ui/star.tsx'
import { Tag } from '../../ui/tag.tsx'
import { NewMenu } from './new-menu.tsx'
import styles from './sidebar.module.css'
import usage from './usage.module.css'

const Usage = lazyPart(() => import('./usage.tsx'))

const Folders = lazyPart(() => import('./folders.tsx'))

/** `rail` shows icons only; `drawer` lies over the page, where no menu can open above it. */
export type SidebarForm = 'full' | 'rail' | 'drawer'

export function Sidebar({ form }: { form: SidebarForm }) {
  const rail = form === 'rail'
  const route = useRoute()
  const { user } = useSession()
  const places = useStore(placesStore)
  return (
    <nav className={styles.sidebar} aria-label={t('nav.main')} data-region="" data-rail={rail || undefined}>
      <Link to={HOME_URL} className={styles.brand} aria-label={instanceName}>
        <BrandMark />
        {!rail && <span className={styles.brandName}>{instanceName}</span>}
      </Link>
      {form !== 'drawer' && <NewMenu className={styles.new} showText={!rail} />}
      <div className={styles.middle}>
        <ul className={styles.list}>
          <Place rail={rail} to={HOME_URL} icon={Folder} label={t('nav.myFiles')} drop={ROOT} />
          {places?.entries.map(({ url, icon, label, drop }) => (
            <Place key={url} rail={rail} to={url} icon={icon} label={label()} drop={drop} />
          ))}
          <Place rail={rail} to="/starred" icon={Star} label={t('nav.starred')} stars />
          <Place rail={rail} to="/tags" icon={Tag} label={t('nav.tags')} />
          <Place rail={rail} to="/recent" icon={Clock} label={t('nav.recent')} />
          {user && (user.perm.share || places?.sharesLinks) && (
            <Place
              rail={rail}
              to="/settings/shares"
              icon={Share2}
              label={t(user.perm.admin ? 'titles.shares' : 'nav.shared')}
            />
          )}
          {pageConfig.Trash && <Place rail={rail} to={trashUrl(route)} icon={Trash2} label={t('nav.trash')} />}
          <Place rail={rail} to={historyUrl(route)} icon={History} label={t('nav.history')} />
          <Place rail={rail} to="/settings" icon={Settings} label={t('nav.settings')} />
        </ul>
        {!rail && (
          <LazyBoundary>
            <Folders resizable={form === 'full'} />
          </LazyBoundary>
        )}
      </div>
      <div className={styles.foot}>
        {route.name === 'files' && !rail && !pageConfig.DisableUsedPercentage && (
          <LazyBoundary fallback={<div className={usage.usage} />}>
            <Usage folder={route.folderHint ? route.path : parentOf(route.path)} />
          </LazyBoundary>
        )}
        <Foot rail={rail} />
      </div>
    </nav>
  )
}

interface PlaceProps {
  rail: boolean
  to: string
  icon: PlaceEntry['icon']
  label: string
  /** The folder into which items can be dropped. */
  drop?: string | undefined
  /** Whether items dropped on it are starred. */
  stars?: boolean
}

/** A link to another screen. */
function Place({ rail, to, icon: Icon, label, drop, stars }: PlaceProps) {
  const { address } = usePlace()
  const isCurrent = placeOf(address) === placeOf(to)
  return (
    <li>
      <Link
        to={to}
        className={styles.entry}
        data-drop={drop}
        data-stars={stars}
        aria-current={isCurrent ? 'true' : undefined}
        data-tip={rail ? label : undefined}
      >
        <Icon size={18} aria-hidden />
        <span className={rail ? 'visually-hidden' : styles.label}>{label}</span>
      </Link>
    </li>
  )
}

/** The place that an address belongs to. */
function placeOf(address: string): string | undefined {
  const other = placesStore.get()?.entries.find(({ url }) => address.startsWith(url))
  return other?.url ?? /^\/(?:settings\/shares|[^/?]*)/.exec(address)?.[0]
}

function Foot({ rail }: { rail: boolean }) {
  return (
    <p className={styles.version}>
      {!rail && <span>{`Filigree ${pageConfig.Version}`.trim()}</span>}
      <button type="button" className={styles.help} onClick={() => openPrompt('help', {})}>
        {t('nav.help')}
      </button>
    </p>
  )
}
