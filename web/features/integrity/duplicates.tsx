import { type FormEvent, useState } from 'react'
import type { DuplicateGroup, DuplicatesPage } from '../../../shared/api/integrity.ts'
import { LEAST_DUPLICATE, type ResolveAct } from '../../../shared/api/jobs.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatBytes, formatDate, formatNumber } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { queryClient, useQuery } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { runJob } from '../files/api/jobs.ts'
import { fetchGroups, groupsQuery, runsQuery } from './api/integrity.ts'
import { PathLink } from './findings.tsx'
import styles from './integrity.module.css'
import { type KeepRule, keptOf } from './keep.ts'

/** Searches a folder for files of the same content, and gives back their room. */
export function DuplicatesCard() {
  const { data: runs, error, refetch } = useQuery(runsQuery)
  const [latest] = runs ?? []
  return (
    <Card title={t('integrity.duplicates')}>
      <Search />
      {!runs && error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!runs && !error && <Spinner label={t('common.loading')} />}
      {latest && <Groups key={latest.id} run={latest.id} />}
    </Card>
  )
}

function Search() {
  const [folder, setFolder] = useState('/')
  const [busy, setBusy] = useState(false)
  const search = async () => {
    setBusy(true)
    try {
      const { items } = await runJob({ kind: 'duplicates', items: [{ from: folder }], least: LEAST_DUPLICATE })
      if (items[0]?.state === 'failed') notify('error', t('integrity.failed'))
      await queryClient.invalidateQueries({ queryKey: ['integrity', 'runs'] })
    } catch (error) {
      notify('error', errorText(error))
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) void search()
  }
  return (
    <form className={styles.search} onSubmit={submit}>
      <TextField
        label={t('kinds.folder')}
        dir="ltr"
        value={folder}
        required
        onChange={({ target }) => setFolder(target.value)}
      />
      <Button type="submit" busy={busy}>
        {t('integrity.search')}
      </Button>
    </form>
  )
}

function Groups({ run }: { run: string }) {
  const { data, error, refetch } = useQuery(groupsQuery(run))
  if (data) return <Found first={data} />
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  return <Spinner label={t('common.loading')} />
}

function Found({ first }: { first: DuplicatesPage }) {
  const [more, setMore] = useState<readonly DuplicatesPage[]>([])
  const [rule, setRule] = useState<KeepRule>('oldest')
  const [act, setAct] = useState<ResolveAct>('trash')
  const pages = [first, ...more]
  const { next } = pages.at(-1) ?? first
  const groups = pages.flatMap(page => page.groups)
  const { started, folder } = first.run
  const load = async (after: number) => {
    try {
      const page = await fetchGroups(first.run.id, after)
      setMore(known => [...known, page])
    } catch (error) {
      notify('error', errorText(error))
    }
  }
  return (
    <>
      <p className={styles.meta}>
        <bdi>{folder}</bdi> · {formatDate(started)}
      </p>
      {groups.length === 0 ? (
        <p className={styles.none}>{t('integrity.noDuplicates')}</p>
      ) : (
        <>
          <Choices rule={rule} act={act} onRule={setRule} onAct={setAct} />
          <ul className={styles.rows}>
            {groups.map(group => (
              <Group key={group.group} group={group} rule={rule} />
            ))}
          </ul>
          <div className={styles.buttons}>
            {next !== undefined && <Button onClick={() => void load(next)}>{t('uploads.expand')}</Button>}
            <Apply groups={groups} rule={rule} act={act} />
          </div>
        </>
      )}
    </>
  )
}

interface ChoicesProps {
  rule: KeepRule
  act: ResolveAct
  onRule: (rule: KeepRule) => void
  onAct: (act: ResolveAct) => void
}

function Choices({ rule, act, onRule, onAct }: ChoicesProps) {
  const rules = [
    { value: 'oldest', label: t('integrity.keepOldest') },
    { value: 'shortest', label: t('integrity.keepShortest') },
  ]
  const acts = [
    { value: 'trash', label: t('integrity.toTrash') },
    { value: 'reflink', label: t('integrity.share') },
    { value: 'link', label: t('integrity.link') },
  ]
  return (
    <>
      <div className={styles.choices}>
        <SelectField
          label={t('integrity.keep')}
          value={rule}
          choices={rules}
          onChange={value => onRule(value as KeepRule)}
        />
        <SelectField
          label={t('integrity.others')}
          value={act}
          choices={acts}
          onChange={value => onAct(value as ResolveAct)}
        />
      </div>
      {act === 'link' && <p className={styles.warning}>{t('integrity.linkWarning')}</p>}
    </>
  )
}

function Group({ group, rule }: { group: DuplicateGroup; rule: KeepRule }) {
  const kept = keptOf(group, rule)
  const gain = group.size * (group.files.length - 1)
  return (
    <li className={styles.row}>
      <p className={styles.kind}>
        <strong>{t('integrity.gain', { size: formatBytes(gain) })}</strong>
      </p>
      <ul className={styles.files}>
        {group.files.map(file => (
          <li key={file.path} className={styles.file}>
            <PathLink path={file.path} />
            <span className={styles.meta}>{formatDate(file.modified)}</span>
            {file.path === kept && <span className={styles.stays}>{t('integrity.stays')}</span>}
          </li>
        ))}
      </ul>
    </li>
  )
}

interface ApplyProps {
  groups: readonly DuplicateGroup[]
  rule: KeepRule
  act: ResolveAct
}

/** Acts on all files that do not stay; what was changed since is left alone. */
function Apply({ groups, rule, act }: ApplyProps) {
  const [busy, setBusy] = useState(false)
  const items = groups.flatMap(group => {
    const to = keptOf(group, rule)
    return group.files.filter(({ path }) => path !== to).map(({ path }) => ({ from: path, to }))
  })
  const apply = async () => {
    setBusy(true)
    try {
      const { items: results } = await runJob({ kind: 'resolve', act, items })
      const done = results.filter(({ state }) => state !== 'failed').length
      const failed = results.length - done
      notify(
        failed > 0 ? 'error' : 'info',
        failed > 0
          ? t('integrity.leftAlone', { count: formatNumber(failed) })
          : t('integrity.done', { count: formatNumber(done) }),
      )
      await queryClient.invalidateQueries({ queryKey: ['integrity'] })
    } catch (error) {
      notify('error', errorText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button kind="primary" busy={busy} onClick={() => void apply()}>
      {t('integrity.apply', { count: formatNumber(items.length) })}
    </Button>
  )
}
