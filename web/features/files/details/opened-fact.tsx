import type { RecentList } from '../../../../shared/api/marks.ts'
import { apiJson } from '../../../lib/api.ts'
import { formatDate, formatRelative } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { Fact } from './fact.tsx'

/** When the user opened a file, if that is noted. */
export default function OpenedFact({ path }: { path: string }) {
  const { data } = useQuery({
    queryKey: ['recent', path],
    queryFn: ({ signal }) => apiJson<RecentList>(`/api/recent?${new URLSearchParams({ path })}`, { signal }),
  })
  const time = data?.opened[0]?.time
  if (time === undefined) return null
  return (
    <Fact label={t('marks.openedByYou')}>
      <time dateTime={time} title={formatDate(time)}>
        {formatRelative(time)}
      </time>
    </Fact>
  )
}
