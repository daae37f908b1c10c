import { useState } from 'react'
import type { UserAccess } from '../../../../shared/api/groups.ts'
import { PERMISSIONS } from '../../../../shared/permissions.ts'
import { pageConfig } from '../../../lib/config.ts'
import { formatList } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CurrentPassword } from '../../../ui/current-password.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { accessQuery, addMember, groupsQuery, removeMember } from '../api/groups.ts'
import styles from './groups.module.css'
import { MembershipRow } from './membership-row.tsx'
import { groupName, isByHand, isEveryone } from './names.ts'
import { useMembership } from './use-membership.ts'

/** The groups of a user, and what the user may do with the cause of each permission. Changes count at once. */
export default function UserGroupCards({ userId }: { userId: number }) {
  const { data, error, refetch } = useQuery(accessQuery(userId))
  return (
    <>
      <Card title={t('titles.groups')}>
        {data ? (
          <UserGroups userId={userId} groups={data.groups.filter(group => !isEveryone(group))} />
        ) : error ? (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        ) : (
          <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
        )}
      </Card>
      {data && (
        <Card title={t('groups.accessTitle')}>
          <Rights access={data} />
        </Card>
      )}
    </>
  )
}

type GroupOfUser = UserAccess['groups'][number]

function UserGroups({ userId, groups }: { userId: number; groups: readonly GroupOfUser[] }) {
  const membership = useMembership()
  return (
    <>
      {groups.length === 0 && <p className={styles.facts}>{t('groups.none')}</p>}
      <ul className={styles.list}>
        {groups.map(group => (
          <MembershipRow
            key={group.id}
            to={`/settings/groups/${group.id}`}
            name={group.name}
            membership={group}
            onRemove={() => void membership.run(() => removeMember(group.id, userId))}
          />
        ))}
      </ul>
      <JoinField
        others={groups.filter(({ sources }) => isByHand(sources)).map(({ id }) => id)}
        busy={membership.busy}
        onJoin={id => membership.run(password => addMember(id, userId, password))}
      />
      <CurrentPassword confirmation={membership.confirmation} />
    </>
  )
}

interface JoinFieldProps {
  /** Groups that are not offered. */
  others: readonly string[]
  busy: boolean
  onJoin: (id: string) => Promise<boolean>
}

function JoinField({ others, busy, onJoin }: JoinFieldProps) {
  const { data } = useQuery(groupsQuery)
  const [chosen, setChosen] = useState('')
  const offered = (data?.value ?? []).filter(group => !isEveryone(group) && !others.includes(group.id))
  if (offered.length === 0) return null
  const id = offered.some(group => group.id === chosen) ? chosen : (offered[0]?.id ?? '')
  return (
    <div className={styles.add}>
      <SelectField
        label={t('groups.join')}
        choices={offered.map(({ id: value, name }) => ({ value, label: name }))}
        value={id}
        onChange={setChosen}
      />
      <Button busy={busy} onClick={() => void onJoin(id)}>
        {t('groups.join')}
      </Button>
    </div>
  )
}

/** Each permission with what gives it. */
function Rights({ access: { perm, own, groups } }: { access: UserAccess }) {
  const shown = PERMISSIONS.filter(name => name !== 'execute' || pageConfig.EnableExec)
  return (
    <dl className={styles.rights}>
      {shown.map(name => {
        const givers = groups.filter(group => group.perm[name]).map(groupName)
        const causes = [...(own[name] ? [t('groups.own')] : []), ...givers]
        return (
          <div key={name} className={styles.right} data-has={perm[name] || undefined}>
            <dt>{t(`permissions.${name}`)}</dt>
            <dd>{causes.length === 0 ? t('common.no') : formatList(causes)}</dd>
          </div>
        )
      })}
    </dl>
  )
}
