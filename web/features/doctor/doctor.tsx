import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { doctorQuery } from './api/doctor.ts'
import { Findings } from './findings.tsx'
import { HostSettings } from './host-settings.tsx'

/** Why this server does not work well, for administrators: what it sees itself, and what this browser's way lets through. */
export default function DoctorPage() {
  return (
    <>
      <Looks />
      <HostSettings />
    </>
  )
}

function Looks() {
  const { data, error, isFetching, refetch } = useQuery(doctorQuery)
  if (isFetching) return <Spinner label={t('doctor.looking')} />
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  return (
    <>
      <Findings findings={data ?? []} />
      <div>
        <Button onClick={() => void refetch()}>{t('doctor.again')}</Button>
      </div>
    </>
  )
}
