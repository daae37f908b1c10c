import { CHANGE_KINDS, type ChangeKind } from '../../../shared/api/changes.ts'
import { type FilePath, nameOf, ROOT } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { TextField } from '../../ui/field.tsx'
import { FilterChip } from '../../ui/filter-chip.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import styles from './history.module.css'
import type { HistoryOptions } from './options.ts'

interface HistoryFilterProps {
  options: HistoryOptions
  /** The folder that the user comes from. */
  from: FilePath
  onChange: (options: HistoryOptions) => void
}

/** Which changes are listed: of whom, where, of which kind, and when. */
export function HistoryFilter({ options, from, onChange }: HistoryFilterProps) {
  const chip = (label: string, pressed: boolean, run: () => void) => (
    <FilterChip label={label} pressed={pressed} onClick={run} />
  )
  return (
    <div className={styles.filter}>
      <div className={styles.chips}>
        {chip(t('trash.all'), !options.mine, () => onChange({ ...options, mine: false }))}
        {chip(t('changes.you'), options.mine, () => onChange({ ...options, mine: true, user: '' }))}
        {from !== ROOT &&
          chip(t('trash.here', { name: nameOf(from) }), options.path !== ROOT, () =>
            onChange({ ...options, path: options.path === ROOT ? from : ROOT }),
          )}
      </div>
      <SelectField
        label={t('history.kind')}
        value={options.kind}
        choices={[
          { value: '', label: t('history.everyKind') },
          ...CHANGE_KINDS.map(kind => ({ value: kind, label: KINDS[kind]() })),
        ]}
        onChange={value => onChange({ ...options, kind: CHANGE_KINDS.find(kind => kind === value) ?? '' })}
      />
      <TextField
        label={t('history.user')}
        value={options.user}
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => onChange({ ...options, mine: false, user: currentTarget.value })}
      />
      <TextField
        label={t('found.from')}
        type="date"
        className={styles.date}
        max={options.until || undefined}
        value={options.since}
        onChange={({ currentTarget }) => onChange({ ...options, since: currentTarget.value })}
      />
      <TextField
        label={t('found.to')}
        type="date"
        className={styles.date}
        min={options.since || undefined}
        value={options.until}
        onChange={({ currentTarget }) => onChange({ ...options, until: currentTarget.value })}
      />
    </div>
  )
}

const KINDS: Readonly<Record<ChangeKind, () => string>> = {
  delete: () => t('actions.delete'),
  purge: () => t('trash.purge'),
  move: () => t('history.move'),
  rename: () => t('actions.rename'),
  copy: () => t('actions.copy'),
  create: () => t('naming.create'),
  upload: () => t('actions.upload'),
  save: () => t('fields.save'),
  archive: () => t('history.archive'),
  extract: () => t('history.extract'),
  restore: () => t('trash.bringBack'),
  revert: () => t('history.revert'),
  rewind: () => t('history.rewind'),
  expire: () => t('changes.expire'),
  link: () => t('history.link'),
  relink: () => t('history.relink'),
  unlink: () => t('history.unlink'),
  undo: () => t('actions.undo'),
}
