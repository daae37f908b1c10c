import { CHANGE_KINDS, type ChangeKind } from '../../../shared/api/changes.ts'
import { type FilePath, nameOf, ROOT } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { TextField } from '../../ui/field.tsx'
import { FilterChip } from '../../ui/filter-chip.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import styles from './history.module.css'
import type { HistoryWish } from './wish.ts'

interface HistoryFilterProps {
  wish: HistoryWish
  /** The folder that the user comes from. */
  from: FilePath
  onChange: (wish: HistoryWish) => void
}

/** Which changes are listed: of whom, where, of which kind, and when. */
export function HistoryFilter({ wish, from, onChange }: HistoryFilterProps) {
  const chip = (label: string, pressed: boolean, run: () => void) => (
    <FilterChip label={label} pressed={pressed} onClick={run} />
  )
  return (
    <div className={styles.filter}>
      <div className={styles.chips}>
        {chip(t('trash.all'), !wish.mine, () => onChange({ ...wish, mine: false }))}
        {chip(t('changes.you'), wish.mine, () => onChange({ ...wish, mine: true, user: '' }))}
        {from !== ROOT &&
          chip(t('trash.here', { name: nameOf(from) }), wish.path !== ROOT, () =>
            onChange({ ...wish, path: wish.path === ROOT ? from : ROOT }),
          )}
      </div>
      <SelectField
        label={t('history.kind')}
        value={wish.kind}
        choices={[
          { value: '', label: t('history.everyKind') },
          ...CHANGE_KINDS.map(kind => ({ value: kind, label: KINDS[kind]() })),
        ]}
        onChange={value => onChange({ ...wish, kind: CHANGE_KINDS.find(kind => kind === value) ?? '' })}
      />
      <TextField
        label={t('history.user')}
        value={wish.user}
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => onChange({ ...wish, mine: false, user: currentTarget.value })}
      />
      <TextField
        label={t('found.from')}
        type="date"
        className={styles.date}
        max={wish.until || undefined}
        value={wish.since}
        onChange={({ currentTarget }) => onChange({ ...wish, since: currentTarget.value })}
      />
      <TextField
        label={t('found.to')}
        type="date"
        className={styles.date}
        min={wish.since || undefined}
        value={wish.until}
        onChange={({ currentTarget }) => onChange({ ...wish, until: currentTarget.value })}
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
  undo: () => t('actions.undo'),
}
