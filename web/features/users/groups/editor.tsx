import { NO_PERMISSIONS } from '../../../../shared/permissions.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { ANY_VERSION, groupQuery } from '../api/groups.ts'
import { GroupForm } from './form.tsx'

const BLANK = { ...{ id: '', name: '', description: '', perm: NO_PERMISSIONS }, rules: [], members: 0, sources: {} }

/** The page of a group, or of a new one. */
export default function GroupPage({ id }: { id: string }) {
  return id === 'new' ? <GroupForm group={BLANK} etag={ANY_VERSION} /> : <KnownGroup id={id} />
}

function KnownGroup({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(groupQuery(id))
  if (data) return <GroupForm group={data.value} etag={data.etag} />
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
}
