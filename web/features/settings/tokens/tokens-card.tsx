import { useId } from 'react'
import type { TokenInfo } from '../../../../shared/api/tokens.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { formatDate, formatRelative } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useOnline } from '../../../lib/online.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Plus } from '../../../ui/icons.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { tokensQuery } from '../api/tokens.ts'
import styles from './tokens.module.css'

export interface TokensCardProps {
  /** For administrators: the user whose tokens are listed; the caller by default, who can make some. */
  userId?: number
}

/** API tokens with their limits and their last use. */
export default function TokensCard({ userId }: TokensCardProps) {
  const { data, error, refetch } = useQuery(tokensQuery(userId))
  const online = useOnline()
  const create = userId === undefined && (
    <Button icon={<Plus size={18} aria-hidden />} disabled={!online} onClick={() => openPrompt('token', {})}>
      {t('tokens.new')}
    </Button>
  )
  return (
    <Card title={t('tokens.title')} text={t('tokens.text')} footer={create || undefined}>
      {data ? (
        <Tokens tokens={data} userId={userId} />
      ) : error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
      )}
    </Card>
  )
}

function Tokens({ tokens, userId }: { tokens: readonly TokenInfo[]; userId: number | undefined }) {
  if (tokens.length === 0) return <p className={styles.facts}>{t('tokens.empty')}</p>
  return (
    <ul className={styles.list}>
      {tokens.map(token => (
        <Token key={token.id} token={token} userId={userId} />
      ))}
    </ul>
  )
}

function Token({ token, userId }: { token: TokenInfo; userId: number | undefined }) {
  const { label, hint, scopes } = token
  const name = useId()
  const rights = scopes.map(scope => t(`tokens.scope.${scope}`))
  const places = placesOf(token)
  return (
    <li className={styles.token}>
      <div>
        <bdi id={name} className={styles.name}>
          {label}
        </bdi>{' '}
        <span className={styles.hint} dir="ltr">
          …{hint}
        </span>
        <ul className={styles.limits}>
          {rights.map(right => (
            <li key={right}>{right}</li>
          ))}
          {places.map(place => (
            <li key={place}>
              <bdi>{place}</bdi>
            </li>
          ))}
        </ul>
        <p className={styles.facts}>
          <Use token={token} />
          {' · '}
          <End expires={token.expires} />
        </p>
      </div>
      <Button aria-describedby={name} onClick={() => openPrompt('tokenEnd', { token, userId })}>
        {t('tokens.revoke')}
      </Button>
    </li>
  )
}

/** What it reaches, in words. */
function placesOf({ folders, confined }: TokenInfo): string[] {
  if (folders.length > 0) return folders.map(shownName)
  return [confined ? t('tokens.folderGone') : t('tokens.allFiles')]
}

function Use({ token: { used, address, agent } }: { token: TokenInfo }) {
  if (used === null) return t('tokens.unused')
  const time = Date.parse(used)
  return (
    <>
      <time dateTime={used} title={formatDate(time)}>
        {t('tokens.used', { when: formatRelative(time) })}
      </time>{' '}
      <bdi title={agent}>{address}</bdi>
    </>
  )
}

const SOON = 7 * 86_400_000

function End({ expires }: Pick<TokenInfo, 'expires'>) {
  if (expires === null) return t('tokens.endless')
  const time = Date.parse(expires)
  const left = time - Date.now()
  return (
    <time dateTime={expires} title={formatDate(time)} className={styles.end} data-soon={left < SOON || undefined}>
      {left <= 0 ? t('tokens.expired') : t('tokens.expires', { when: formatRelative(time) })}
    </time>
  )
}
