import { useState } from 'react'
import type { FindingChange, IntegrityFinding, IntegrityFindings } from '../../../shared/api/integrity.ts'
import { shownName } from '../../../shared/bytes.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatBytes, formatDate, formatFacts } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { queryClient, useQuery } from '../../lib/query.ts'
import { filesUrl } from '../../lib/route.ts'
import { Link } from '../../lib/router.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { fetchFindings, findingsQuery, settleFinding } from './api/integrity.ts'
import styles from './integrity.module.css'

/** Files that are not what they were, and what an administrator says about them. */
export function FindingsCard() {
  const { data, error, refetch } = useQuery(findingsQuery)
  return (
    <Card title={t('integrity.findings')}>
      {data && <Findings key={data.items[0]?.id} first={data} />}
      {!data && error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Spinner label={t('common.loading')} />}
    </Card>
  )
}

function Findings({ first }: { first: IntegrityFindings }) {
  const [older, setOlder] = useState<readonly IntegrityFindings[]>([])
  const [settled, setSettled] = useState<ReadonlyMap<string, IntegrityFinding>>(new Map())
  const [busy, setBusy] = useState(false)
  const pages = [first, ...older]
  const items = pages.flatMap(page => page.items).map(item => settled.get(item.id) ?? item)
  const last = items.at(-1)
  const more = async () => {
    setBusy(true)
    try {
      const page = await fetchFindings(last?.id)
      setOlder(known => [...known, page])
    } catch (error) {
      notify('error', errorText(error))
    } finally {
      setBusy(false)
    }
  }
  const settle = async ({ id }: IntegrityFinding, change: FindingChange) => {
    try {
      const now = await settleFinding(id, change)
      setSettled(known => new Map(known).set(id, now))
      void queryClient.invalidateQueries({ queryKey: ['integrity', 'report'] })
    } catch (error) {
      notify('error', errorText(error))
    }
  }
  if (items.length === 0) return <p className={styles.none}>{t('integrity.noFindings')}</p>
  return (
    <>
      <ul className={styles.rows}>
        {items.map(item => (
          <Finding key={item.id} finding={item} onSettle={change => settle(item, change)} />
        ))}
      </ul>
      {pages.at(-1)?.more && (
        <div>
          <Button busy={busy} onClick={() => void more()}>
            {t('uploads.expand')}
          </Button>
        </div>
      )}
    </>
  )
}

interface FindingProps {
  finding: IntegrityFinding
  onSettle: (change: FindingChange) => Promise<void>
}

function Finding({ finding, onSettle }: FindingProps) {
  const { kind, state, place, path, time, size, copies, settled, settledBy } = finding
  const [busy, setBusy] = useState<string>()
  const [copy] = copies
  const settle = async (name: string, change: FindingChange) => {
    setBusy(name)
    await onSettle(change)
    setBusy(undefined)
  }
  const button = (name: string, label: string, change: FindingChange) => (
    <Button
      busy={busy === name}
      disabled={busy !== undefined && busy !== name}
      onClick={() => void settle(name, change)}
    >
      {label}
    </Button>
  )
  const name = shownName(place)
  return (
    <li className={styles.row}>
      <p className={styles.path}>{path === undefined ? <bdi>{name}</bdi> : <PathLink path={path} />}</p>
      <p className={styles.kind} data-open={state === 'open' ? '' : undefined}>
        <strong>{kindOf(kind)}</strong> {aboutOf(kind)}
      </p>
      <p className={styles.meta}>
        {formatFacts(
          [
            formatDate(time),
            formatBytes(size),
            ...(state === 'open' ? [] : [stateOf(state), settledBy ?? '', settled ? formatDate(settled) : '']),
          ].filter(text => text !== ''),
        )}
      </p>
      {state === 'open' && (
        <div className={styles.buttons}>
          {copy !== undefined &&
            path !== undefined &&
            button('copy', t('integrity.restoreFrom', { name: shownName(copy) }), { state: 'restored', from: copy })}
          {path !== undefined && button('restored', t('integrity.markRestored'), { state: 'restored' })}
          {button('accepted', t('integrity.accept'), { state: 'accepted' })}
        </div>
      )}
    </li>
  )
}

/** A file, as a link to it. */
export function PathLink({ path }: { path: string }) {
  return (
    <Link to={filesUrl(path)}>
      <bdi>{shownName(path)}</bdi>
    </Link>
  )
}

function kindOf(kind: IntegrityFinding['kind']): string {
  if (kind === 'rotten') return t('integrity.rotten')
  return kind === 'quiet' ? t('integrity.quiet') : t('integrity.unreadable')
}

function aboutOf(kind: IntegrityFinding['kind']): string {
  if (kind === 'rotten') return t('integrity.rottenAbout')
  return kind === 'quiet' ? t('integrity.quietAbout') : t('integrity.unreadableAbout')
}

const stateOf = (state: IntegrityFinding['state']) =>
  state === 'accepted' ? t('integrity.accepted') : t('integrity.restored')
