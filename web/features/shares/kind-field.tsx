import type { LinkKind } from '../../../shared/api/shares.ts'
import { t } from '../../lib/i18n/index.ts'
import { Eye, SquarePen, Upload } from '../../ui/icons.ts'
import styles from './link-form.module.css'

const KINDS = [
  { kind: 'view', icon: Eye, label: 'links.view', hint: 'links.viewHint' },
  { kind: 'edit', icon: SquarePen, label: 'links.edit', hint: 'links.editHint' },
  { kind: 'drop', icon: Upload, label: 'links.drop', hint: 'links.dropHint' },
] as const

interface KindFieldProps {
  /** Those that the user can make. */
  kinds: readonly LinkKind[]
  /** Whether the link leads to a folder. */
  isDir: boolean
  value: LinkKind
  onChange: (kind: LinkKind) => void
}

/** What visitors of a new link do. */
export function KindField({ kinds, isDir, value, onChange }: KindFieldProps) {
  return (
    <fieldset className={styles.kinds}>
      <legend className={styles.legend}>{t('links.kind')}</legend>
      {KINDS.filter(({ kind }) => kinds.includes(kind)).map(({ kind, icon: Icon, label, hint }) => (
        <label key={kind} className={styles.kind}>
          <input type="radio" name="kind" value={kind} checked={value === kind} onChange={() => onChange(kind)} />
          <Icon size={20} aria-hidden />
          <span>{t(label)}</span>
          <span className={styles.kindHint}>{t(kind === 'edit' && !isDir ? 'links.editFileHint' : hint)}</span>
        </label>
      ))}
    </fieldset>
  )
}
