import type { ShareLink } from '../../../shared/api/shares.ts'
import { shownName } from '../../../shared/bytes.ts'
import { formatDate, formatRelative } from '../../lib/i18n/format.ts'
import { localeTag, t } from '../../lib/i18n/index.ts'
import { lazyLinks } from '../../lib/lazy.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { useQuery } from '../../lib/query.ts'
import { Link, navigate, usePlace } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { IconButton } from '../../ui/button.tsx'
import { Expiry } from '../../ui/expiry.tsx'
import { CircleHelp, Copy, Inbox, Lock, Pause, Play, Trash2 } from '../../ui/icons.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import tables from '../../ui/table.module.css'
import { allLinksQuery, copyLink, togglePause } from '../files/api/share-links.ts'
import { LinkUse } from '../files/items/link-use.tsx'
import { filterIn, isListed, type LinkFilter, queryOf } from './link-filter.ts'
import { LinkFilterFields } from './link-filter-fields.tsx'
import styles from './shares.module.css'

const LinkLimit = lazyLinks(() => import('../files/items/link-limit.tsx'))
const LinkShut = lazyLinks(() => import('../files/items/link-shut.tsx'))
const GivenGrants = lazyLinks(() => import('./given-grants.tsx'))

/** Number of share links above which a filter is offered. */
const MANY = 5

/** The management of share links. */
export default function SharesPage() {
  const { data, error, refetch } = useQuery(allLinksQuery)
  if (data)
    return (
      <>
        {data.length === 0 ? <p className={styles.empty}>{t('settings.sharesEmpty')}</p> : <Shares links={data} />}
        <LazyBoundary>
          <GivenGrants />
        </LazyBoundary>
      </>
    )
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
}

/** Permanent ones first, then by expiry. */
function ordered(links: readonly ShareLink[]): ShareLink[] {
  return links.toSorted((a, b) => a.expire - b.expire || a.path.localeCompare(b.path, localeTag()))
}

function Shares({ links }: { links: readonly ShareLink[] }) {
  const { address } = usePlace()
  const mark = address.indexOf('?')
  const filter = filterIn(mark < 0 ? '' : address.slice(mark))
  const now = Date.now()
  const shown = ordered(links).filter(link => isListed(link, filter, now))
  const onChange = (next: LinkFilter) => void navigate(`/settings/shares${queryOf(next)}`, { replace: true })
  return (
    <>
      {(links.length > MANY || queryOf(filter) !== '') && <LinkFilterFields value={filter} onChange={onChange} />}
      {shown.length === 0 ? <p className={tables.none}>{t('settings.noneFound')}</p> : <SharesTable links={shown} />}
    </>
  )
}

function SharesTable({ links }: { links: readonly ShareLink[] }) {
  const { user } = useSession()
  const withOwner = user?.perm.admin ?? false
  return (
    <div className={tables.frame}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{t('settings.sharePath')}</th>
            <th scope="col" className={tables.wide}>
              {t('settings.shareCreated')}
            </th>
            <th scope="col" className={tables.wide}>
              {t('settings.shareDuration')}
            </th>
            {withOwner && (
              <th scope="col" className={tables.wide}>
                {t('auth.username')}
              </th>
            )}
            <th scope="col" className={tables.end}>
              <span className="visually-hidden">{t('settings.shareActions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {links.map(link => (
            <ShareRow key={link.hash} link={link} withOwner={withOwner} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ShareRow({ link, withOwner }: { link: ShareLink; withOwner: boolean }) {
  const { hash, path, expire, hasPassword, username, kind, label, received, maxDownloads, used, paused, shut } = link
  return (
    <tr>
      <td>
        <Link className={styles.path} to={`/share/${encodeURIComponent(hash)}`}>
          <bdi>{shownName(path)}</bdi>
        </Link>
        {hasPassword && (
          <span className={styles.lock} role="img" aria-label={t('shares.locked')} data-tip={t('shares.locked')}>
            <Lock size={14} aria-hidden />
          </span>
        )}
        {paused !== undefined && <strong className={styles.paused}>{t('settings.linkPaused')}</strong>}
        {shut !== undefined && (
          <span className={styles.paused}>
            <LazyBoundary fallback={'\u00a0'}>
              <LinkShut link={link} />
            </LazyBoundary>
          </span>
        )}
        {(label !== undefined || received || kind === 'edit') && (
          <span className={styles.about}>
            <bdi>{label}</bdi>
            {label !== undefined && kind !== undefined && ' · '}
            {kind === 'edit' && t('settings.shareEdits')}
            {received && t('settings.shareCollects', { count: received.items })}
          </span>
        )}
        {used && (
          <span className={styles.about}>
            <LinkUse used={maxDownloads === undefined ? used : { ...used, downloads: 0 }} />
          </span>
        )}
        {maxDownloads !== undefined && (
          <span className={styles.about}>
            {/* Its line is there from the start: the buttons below must not move away from a finger. */}
            <LazyBoundary fallback={'\u00a0'}>
              <LinkLimit link={link} />
            </LazyBoundary>
          </span>
        )}
        <span className={tables.narrow}>
          {t('settings.shareCreated')} <Created link={link} />
          {' · '}
          <Expiry expire={expire} />
          {withOwner && ' · '}
          {withOwner && <bdi>{username}</bdi>}
        </span>
      </td>
      <td className={`${styles.duration} ${tables.wide}`}>
        <Created link={link} />
      </td>
      <td className={`${styles.duration} ${tables.wide}`}>
        <Expiry expire={expire} />
      </td>
      {withOwner && (
        <td className={tables.wide}>
          <bdi>{username}</bdi>
        </td>
      )}
      <td className={tables.end}>
        <div className={`${tables.buttons} ${styles.actions}`}>
          {received && (
            <IconButton label={t('settings.deliveriesOf', { path })} onClick={() => openPrompt('deliveries', { link })}>
              <Inbox size={18} aria-hidden />
            </IconButton>
          )}
          <IconButton label={t('settings.copyLinkTo', { path })} onClick={() => void copyLink(link)}>
            <Copy size={18} aria-hidden />
          </IconButton>
          <IconButton
            label={t(paused === undefined ? 'settings.pauseLinkTo' : 'settings.resumeLinkTo', { path })}
            onClick={() => void togglePause(link)}
          >
            {paused === undefined ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden />}
          </IconButton>
          <IconButton
            label={t('details.explainAccess')}
            onClick={() => openPrompt('explainAccess', { path, link: hash })}
          >
            <CircleHelp size={18} aria-hidden />
          </IconButton>
          <IconButton label={t('settings.deleteLinkTo', { path })} onClick={() => openPrompt('shareDelete', { link })}>
            <Trash2 size={18} aria-hidden />
          </IconButton>
        </div>
      </td>
    </tr>
  )
}

function Created({ link: { created = '' } }: { link: ShareLink }) {
  return (
    <time dateTime={created} title={formatDate(created)}>
      {formatRelative(created)}
    </time>
  )
}
