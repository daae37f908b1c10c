import { CHANGE_KINDS, type ChangeKind } from '../../../shared/api/changes.ts'
import { type FilePath, nameOf, ROOT } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import type { ChangesWish } from '../files/api/changes.ts'
import styles from './history.module.css'

interface HistoryFilterProps {
  wish: ChangesWish
  /** The folder that the user comes from. */
  from: FilePath
  onChange: (wish: ChangesWish) => void
}

/** Which changes are listed: of whom, where, of which kind. */
export function HistoryFilter({ wish, from, onChange }: HistoryFilterProps) {
  const chip = (label: string, pressed: boolean, run: () => void) => (
    <button type="button" className={styles.chip} aria-pressed={pressed} onClick={run}>
      {label}
    </button>
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
