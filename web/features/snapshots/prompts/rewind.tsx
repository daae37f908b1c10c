import { useRef, useState } from 'react'
import type { RewindPlan } from '../../../../shared/api/changes.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { useOnline } from '../../../lib/online.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { countRewind, rewindFolder } from '../../files/api/snapshots.ts'
import styles from '../snapshots.module.css'

interface RewindPromptProps {
  folder: { path: string; name: string }
}

/** Asks for the time to which a folder goes back, and shows what that would do. */
export default function RewindPrompt({ folder: { path, name } }: RewindPromptProps) {
  const [local, setLocal] = useState(() => localTime(Date.now() - 3_600_000))
  const online = useOnline()
  const field = useRef<HTMLInputElement>(null)
  const time = Date.parse(local)
  const to = Number.isNaN(time) ? undefined : new Date(time).toISOString()
  const { data, error, refetch } = useQuery({
    queryKey: ['rewind', path, to],
    queryFn: ({ signal }) => countRewind({ folder: path, to: to ?? '' }, signal),
    enabled: to !== undefined,
    staleTime: 0,
    gcTime: 0,
  })
  const submit = () => {
    if (to === undefined) return
    closePrompt()
    void rewindFolder({ folder: path, to }).then(
      () => notify('info', t('snapshots.started')),
      (thrown: unknown) => notify('error', errorText(thrown)),
    )
  }
  return (
    <Dialog
      title={t('snapshots.rewindTitle', { name: shownName(name) || t('files.home') })}
      onClose={closePrompt}
      initialFocus={field}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind="danger" disabled={!online || !data || doneBy(data) === 0} onClick={submit}>
            {t('snapshots.rewind')}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        <p>{t('snapshots.rewindText')}</p>
        <TextField
          label={t('snapshots.rewindTo')}
          ref={field}
          type="datetime-local"
          step={1}
          max={localTime(Date.now())}
          value={local}
          onChange={event => setLocal(event.currentTarget.value)}
        />
        {to !== undefined && (
          <div role="status">
            {error ? (
              <LoadFailure error={error} onRetry={() => void refetch()} />
            ) : data ? (
              <Counts plan={data} />
            ) : (
              <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
            )}
          </div>
        )}
      </div>
    </Dialog>
  )
}

const doneBy = ({ back, moved, contents, trashed }: RewindPlan) => back + moved + contents + trashed

function Counts({ plan }: { plan: RewindPlan }) {
  if (doneBy(plan) + plan.stay === 0) return <p>{t('snapshots.nothing')}</p>
  const lines = [
    [plan.back, 'snapshots.countBack'],
    [plan.moved, 'snapshots.countMoved'],
    [plan.contents, 'snapshots.countContents'],
    [plan.trashed, 'snapshots.countTrashed'],
    [plan.stay, 'snapshots.countStay'],
  ] as const
  return (
    <>
      <ul className={styles.counts}>
        {lines.flatMap(([count, key]) => (count === 0 ? [] : [<li key={key}>{t(key, { count })}</li>]))}
      </ul>
      {!plan.checked && <p className={styles.hint}>{t('snapshots.unchecked')}</p>}
      {plan.stays.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls is reached by keyboard
        <ul className={styles.stays} aria-label={t('snapshots.stays')} tabIndex={0}>
          {plan.stays.map(({ path, why }) => (
            <li key={`${path} ${why}`}>{shownName(path)}</li>
          ))}
        </ul>
      )}
    </>
  )
}

/** As `datetime-local` has it, in the time zone of the browser. */
function localTime(time: number): string {
  const date = new Date(time)
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
}
