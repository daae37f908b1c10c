import { useState } from 'react'
import type { Group } from '../../../../shared/api/groups.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CurrentPassword } from '../../../ui/current-password.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { addMember, membersQuery, removeMember } from '../api/groups.ts'
import styles from './groups.module.css'
import { MembershipRow } from './membership-row.tsx'
import { useMembership } from './use-membership.ts'
import { UserField } from './user-field.tsx'

/** The members of a group; changes count at once. */
export function MembersCard({ group }: { group: Group }) {
  const membership = useMembership()
  const [user, setUser] = useState<{ id: number }>()
  const add = async () => {
    const chosen = user
    if (!chosen) return
    if (await membership.run(password => addMember(group.id, chosen.id, password))) setUser(undefined)
  }
  return (
    <Card title={t('groups.membersTitle')}>
      <Members group={group.id} after={0} onRemove={id => void membership.run(() => removeMember(group.id, id))} />
      <div className={styles.add}>
        <UserField key={group.members} label={t('groups.addMember')} onChange={setUser} onEnter={() => void add()} />
        <Button disabled={!user} busy={membership.busy} onClick={() => void add()}>
          {t('groups.addMember')}
        </Button>
      </div>
      <CurrentPassword confirmation={membership.confirmation} />
    </Card>
  )
}

interface MembersProps {
  group: string
  after: number
  onRemove: (id: number) => void
}

/** A page of members, and on request those after it. */
function Members({ group, after, onRemove }: MembersProps) {
  const { data, error, refetch } = useQuery(membersQuery(group, after))
  const [more, setMore] = useState(false)
  if (!data && error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  if (!data) return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
  const last = data.members.at(-1)
  if (!last) return <p className={styles.facts}>{t('groups.noMembers')}</p>
  return (
    <>
      <ul className={styles.list}>
        {data.members.map(member => (
          <MembershipRow
            key={member.id}
            to={`/settings/users/${member.id}`}
            name={member.username}
            membership={member}
            onRemove={() => onRemove(member.id)}
          />
        ))}
      </ul>
      {data.more && more && <Members group={group} after={last.id} onRemove={onRemove} />}
      {data.more && !more && <Button onClick={() => setMore(true)}>{t('uploads.expand')}</Button>}
    </>
  )
}
