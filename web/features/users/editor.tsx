import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { settingsQuery } from '../settings/api/settings.ts'
import { userQuery } from './api/users.ts'
import { UserForm } from './form.tsx'
import { draftOf, newUserOf } from './user-draft.ts'

/** The page of a new or an existing user. */
export default function UserPage({ id }: { id: number | 'new' }) {
  return id === 'new' ? <NewUser /> : <KnownUser id={id} />
}

function NewUser() {
  const { data, error, refetch } = useQuery(settingsQuery)
  if (data)
    return <UserForm start={() => newUserOf(data)} homes={data.createUserDir ? data.userHomeBasePath : undefined} />
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
}

function KnownUser({ id }: { id: number }) {
  const { data, error, refetch } = useQuery(userQuery(id))
  if (data) return <UserForm start={() => draftOf(data)} homes={undefined} />
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
}
