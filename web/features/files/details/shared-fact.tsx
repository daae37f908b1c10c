import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { Expiry } from '../../../ui/expiry.tsx'
import { receivedQuery } from '../api/grants.ts'
import { Fact } from './fact.tsx'

/** Who shares an item with the user, until when, and with which message. Renders nothing for all others. */
export default function SharedFact({ path }: { path: string }) {
  const { data } = useQuery(receivedQuery)
  const shared = data?.items.find(item => item.path === path.replace(/\/$/, ''))
  if (!shared) return null
  const { owner, note, expires } = shared
  return (
    <Fact label={t('grants.from')}>
      <bdi>{owner}</bdi>
      {expires !== null && (
        <p>
          <Expiry expire={Math.floor(Date.parse(expires) / 1000)} sentence={when => t('shares.ends', { when })} />
        </p>
      )}
      {note !== '' && <p dir="auto">{note}</p>}
    </Fact>
  )
}
