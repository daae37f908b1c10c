import { useState } from 'react'
import type { ActivityItem, ActivityPage } from '../../../../shared/api/activity.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { encodePath, nameOf, parsePath } from '../../../../shared/path.ts'
import { apiJson } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { useQuery } from '../../../lib/query.ts'
import { Link } from '../../../lib/router.tsx'
import { Button } from '../../../ui/button.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { ChangeLine } from '../changes/change-line.tsx'
import { ChangeList } from '../changes/change-list.tsx'
import { settingsText } from '../changes/settings-text.ts'
import { UndoButton } from '../changes/undo-button.tsx'
import styles from './details.module.css'

const load = (path: string, before?: string, signal?: AbortSignal) =>
  apiJson<ActivityPage>(
    `/api/activity${encodePath(path)}${before === undefined ? '' : `?${new URLSearchParams({ before })}`}`,
    signal ? { signal } : {},
  )

/** What was changed in a file or folder, by day. */
export default function Activity({ path }: { path: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['changes', 'activity', path],
    queryFn: ({ signal }) => load(path, undefined, signal),
  })
  const [older, setOlder] = useState<readonly ActivityPage[]>([])
  const [isBusy, setBusy] = useState(false)
  if (!data && error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  if (!data) return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
  const pages = [data, ...older]
  const items = pages.flatMap(page => page.items)
  const next = pages.at(-1)?.next
  const more = async () => {
    setBusy(true)
    try {
      const page = await load(path, next)
      setOlder(known => [...known, page])
    } catch (failure) {
      notify('error', errorText(failure))
    }
    setBusy(false)
  }
  return (
    <section className={styles.activity} aria-label={t('details.activity')}>
      {items.length === 0 && <p>{t('marks.noActivity')}</p>}
      <ChangeList
        items={items}
        level={3}
        renderLine={change => {
          const note = noteOf(items.find(({ id }) => id === change.id))
          return (
            <ChangeLine
              key={change.id}
              change={change}
              isOpen={note !== undefined}
              actions={<UndoButton change={change} />}
            >
              <p className={styles.note}>{note}</p>
            </ChangeLine>
          )
        }}
      />
      {next !== undefined && (
        <Button busy={isBusy} onClick={() => void more()}>
          {t('changes.older')}
        </Button>
      )}
      {items.length > 0 && <Link to={historyOf(path)}>{t('nav.history')}</Link>}
    </section>
  )
}

/** The address of the history of a file or folder. */
const historyOf = (path: string) => `/history/?${new URLSearchParams({ from: encodePath(path), here: '' })}`

/** What an item was called before, that it left the user's files, or what was done to the settings of its link. */
function noteOf(item: ActivityItem | undefined): string | undefined {
  if (item?.count !== 1) return undefined
  if (item.step.kind !== 'move') return settingsText(item.step)
  const { path, to } = item.step
  if (to === undefined) return t('marks.movedOut')
  const [before, now] = [nameOf(parsePath(path)), nameOf(parsePath(to))]
  return before === now ? undefined : t('marks.wasCalled', { name: shownName(before) })
}
