import { useState } from 'react'
import type { Change, ChangeStep, Verdict } from '../../../../shared/api/changes.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { parsePath } from '../../../../shared/path.ts'
import { errorText } from '../../../lib/error-text.ts'
import { formatDate, formatNumber } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { changeQuery, fetchChange, verdictsQuery } from '../api/changes.ts'
import styles from './changes.module.css'
import { settingsText } from './settings-text.ts'
import { isUnkept, stepText, whyText } from './texts.ts'
import { showItem } from './undo-change.ts'

/** The steps of a change, and what an undo of it would do. */
export function Steps({ change }: { change: Change }) {
  const { data, error, refetch } = useQuery(changeQuery(change.id))
  // What expired says how it went.
  const isJudged = change.undo.can || change.kind === 'expire'
  const { data: answer } = useQuery({ ...verdictsQuery(change.id), enabled: isJudged })
  const [older, setOlder] = useState<readonly ChangeStep[]>([])
  const [hasMore, setHasMore] = useState(true)
  if (!data) {
    return error ? (
      <LoadFailure error={error} onRetry={() => void refetch()} />
    ) : (
      <Spinner label={t('common.loading')} />
    )
  }
  const steps = [...data.steps, ...older]
  const verdicts = isJudged ? answer?.verdicts : undefined
  const loadMore = async () => {
    try {
      const page = await fetchChange(change.id, (steps.at(-1)?.position ?? 0) + 1)
      setOlder([...older, ...page.steps])
      setHasMore(page.moreSteps)
    } catch (failure) {
      notify('error', errorText(failure))
    }
  }
  return (
    <>
      {change.undo.can && <Summary change={change} verdicts={verdicts} />}
      <ul className={styles.steps}>
        {steps.map(step => (
          <Step
            key={step.position}
            step={step}
            verdict={verdicts?.find(({ position }) => position === step.position)}
          />
        ))}
      </ul>
      {data.moreSteps && hasMore && (
        <Button kind="quiet" onClick={() => void loadMore()}>
          {t('uploads.expand')}
        </Button>
      )}
      <ShowButton steps={steps} />
    </>
  )
}

/** For how many steps an undo is possible, and until when. */
function Summary({ change, verdicts }: { change: Change; verdicts: readonly Verdict[] | undefined }) {
  const left = verdicts?.filter(({ why }) => why !== 'undone') ?? []
  const can = left.filter(verdict => verdict.can).length
  return (
    <p className={styles.summary} role="status">
      {can < left.length && (
        <span>{t('changes.possible', { can: formatNumber(can), total: formatNumber(left.length) })}</span>
      )}
      {(verdicts === undefined || can > 0) && change.undo.can && change.undo.until !== undefined && (
        <span>{t('changes.until', { when: formatDate(change.undo.until) })}</span>
      )}
    </p>
  )
}

function Step({ step, verdict }: { step: ChangeStep; verdict: Verdict | undefined }) {
  const isUndone = step.state === 'undone'
  const why = isUndone ? t('changes.why.undone') : isUnkept(step) ? t('changes.unkept') : verdict && whyText(verdict)
  return (
    <li className={styles.step}>
      <bdi className={styles.path}>{shownName(step.path)}</bdi>
      <span className={styles.did}>{settingsText(step) ?? stepText(step)}</span>
      {why && <span className={isUndone ? styles.did : styles.why}>{why}</span>}
    </li>
  )
}

/** Leads to the first item that is still in a folder. */
function ShowButton({ steps }: { steps: readonly ChangeStep[] }) {
  const [first] = steps
  if (!first) return null
  const { path, to, state, kind } = first
  const isBack = state === 'undone' || kind !== 'move'
  return (
    <Button kind="quiet" className={styles.show} onClick={() => showItem(parsePath(isBack ? path : (to ?? path)))}>
      {t('trash.show')}
    </Button>
  )
}
