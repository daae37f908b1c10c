import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { type QuotaOwner, quotasQuery, setQuota } from './api/quotas.ts'
import { QuotaFields } from './quota-fields.tsx'
import { QuotaFill } from './quota-fill.tsx'

/** The quota of a user or a group, and what the home of a user holds. A change counts at once. */
export default function QuotaCard({ owner }: { owner: QuotaOwner }) {
  const { data, error, refetch } = useQuery(quotasQuery)
  const { kind, id } = owner
  const user = kind === 'users' ? data?.users.find(one => one.id === id) : undefined
  const group = kind === 'groups' ? data?.groups.find(one => one.id === id) : undefined
  const said = user ?? group
  const own = { bytes: said?.own ?? null, items: said?.ownItems ?? null }
  return (
    <Card title={t('quota.title')} text={t(kind === 'users' ? 'quota.text' : 'quota.groupText')}>
      {data ? (
        <>
          {user && <QuotaFill quota={user} />}
          <QuotaFields
            key={`${own.bytes}/${own.items}`}
            own={own}
            none={t(kind === 'users' ? 'quota.inherit' : 'quota.none')}
            mayLift
            save={limits => setQuota(owner, limits)}
          />
        </>
      ) : error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
      )}
    </Card>
  )
}
