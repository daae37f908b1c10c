import { useState } from 'react'
import type { UserQuota } from '../../../shared/api/quotas.ts'
import type { User } from '../../../shared/api/users.ts'
import { formatBytes, formatDate, formatRelative } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazyPart } from '../../lib/lazy.ts'
import { loadPeople } from '../../lib/people.ts'
import { useQuery } from '../../lib/query.ts'
import { Link } from '../../lib/router.tsx'
import buttons from '../../ui/button.module.css'
import { TextField } from '../../ui/field.tsx'
import { Check, Pencil, Plus, X } from '../../ui/icons.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import tables from '../../ui/table.module.css'
import { quotasQuery } from './api/quotas.ts'
import { seenQuery, usersQuery } from './api/users.ts'
import styles from './list.module.css'

const DisabledMark = lazyPart(() => loadPeople(() => import('./disabled-mark.tsx')))

/** Number of users above which a filter is offered. */
const MANY = 8
/** Share of a quota from which on it is nearly full. */
const WARN_FROM = 0.9

/** The list of users. */
export default function UsersPage() {
  const { data, error, refetch } = useQuery(usersQuery)
  if (data) return <Users users={data} />
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
}

function Users({ users }: { users: readonly User[] }) {
  const [filter, setFilter] = useState('')
  const wanted = filter.trim().toLowerCase()
  const shown = users.filter(({ username, scope }) =>
    [username, scope].some(text => text.toLowerCase().includes(wanted)),
  )
  return (
    <>
      <div className={tables.tools}>
        {users.length > MANY ? (
          <div className={tables.filter}>
            <TextField
              label={t('users.filter')}
              type="search"
              value={filter}
              onChange={event => setFilter(event.target.value)}
            />
          </div>
        ) : (
          <p className={styles.count}>{t('users.count', { count: users.length })}</p>
        )}
        <Link to="/settings/users/new" className={`${buttons.button} ${buttons.primary}`}>
          <Plus size={18} aria-hidden />
          {t('users.new')}
        </Link>
      </div>
      {shown.length === 0 ? <p className={tables.none}>{t('users.noneFound')}</p> : <UsersTable users={shown} />}
    </>
  )
}

function UsersTable({ users }: { users: readonly User[] }) {
  const { data } = useQuery(quotasQuery)
  const { data: seen } = useQuery(seenQuery)
  const quotas = data && data.users.length > 0 ? new Map(data.users.map(quota => [quota.id, quota])) : undefined
  return (
    <div className={tables.frame}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th scope="col">{t('auth.username')}</th>
            <th scope="col">{t('users.admin')}</th>
            <th scope="col" className={tables.wide}>
              {t('fields.scope')}
            </th>
            <th scope="col" className={tables.wide}>
              {t('users.seen')}
            </th>
            {quotas && (
              <th scope="col" className={tables.wide}>
                {t('nav.usageLabel')}
              </th>
            )}
            <th scope="col" className={tables.end}>
              <span className="visually-hidden">{t('users.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {users.map(user => (
            <UserRow key={user.id} user={user} seen={seen && { at: seen.get(user.id) }} quotas={quotas} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface UserRowProps {
  user: User
  /** When the user was last active; nothing until it is known of all. */
  seen: { at: string | undefined } | undefined
  /** Nothing where no user has one. */
  quotas: ReadonlyMap<number, UserQuota> | undefined
}

function UserRow({ user: { id, username, perm, scope }, seen, quotas }: UserRowProps) {
  const label = t('users.edit', { name: username })
  return (
    <tr>
      <td>
        <bdi className={styles.name}>{username}</bdi>
        <DisabledMark id={id} />
        <span className={tables.narrow}>
          <bdi>{scope}</bdi>
        </span>
        {seen?.at !== undefined && (
          <span className={tables.narrow}>
            {t('users.seen')}: <Seen at={seen.at} />
          </span>
        )}
        {quotas?.has(id) && (
          <span className={tables.narrow}>
            <Fill quota={quotas.get(id)} />
          </span>
        )}
      </td>
      <td>
        <span className={styles.admin} data-admin={perm.admin || undefined}>
          {perm.admin ? <Check size={16} aria-hidden /> : <X size={16} aria-hidden />}
          {perm.admin ? t('common.yes') : t('common.no')}
        </span>
      </td>
      <td className={tables.wide}>
        <bdi>{scope}</bdi>
      </td>
      <td className={tables.wide}>{seen && <Seen at={seen.at} />}</td>
      {quotas && (
        <td className={tables.wide}>
          <Fill quota={quotas.get(id)} />
        </td>
      )}
      <td className={tables.end}>
        <Link to={`/settings/users/${id}`} className={buttons.iconButton} aria-label={label} data-tip={label}>
          <Pencil size={18} aria-hidden />
        </Link>
      </td>
    </tr>
  )
}

function Seen({ at }: { at: string | undefined }) {
  if (at === undefined) return t('users.neverSeen')
  return (
    <time dateTime={at} title={formatDate(at)}>
      {formatRelative(at)}
    </time>
  )
}

/** What a home holds of its quota. */
function Fill({ quota }: { quota: UserQuota | undefined }) {
  if (!quota || quota.limit === null) return '–'
  const { used, limit } = quota
  return (
    <span className={styles.fill} data-full={used >= limit * WARN_FROM || undefined}>
      {t('nav.usage', { used: formatBytes(used), total: formatBytes(limit) })}
    </span>
  )
}
