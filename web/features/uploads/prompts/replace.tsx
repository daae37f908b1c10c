import { useRef, useState } from 'react'
import { shownName } from '../../../../shared/bytes.ts'
import { nameOf, parsePath } from '../../../../shared/path.ts'
import { formatBytes, formatDate } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt, type PromptProps, type UploadConflict } from '../../../lib/prompts.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import type { Decision } from '../queue.ts'
import { uploads } from '../runtime.ts'
import styles from './replace.module.css'

/** Conflicts shown one by one at most; what is chosen for all counts for the rest. */
const LISTED = 50

const LABELS = { keepBoth: 'uploads.keepBoth', replace: 'uploads.replace', skip: 'uploads.skip' } as const

/** Asks what to do about files that are already there: per file, or at once for all (specification section 8). */
export default function ReplacePrompt({ conflicts }: PromptProps['replace']) {
  const confirm = useRef<HTMLButtonElement>(null)
  const { user } = useSession()
  const [chosen, setChosen] = useState<ReadonlyMap<string, Decision>>(new Map())
  const options: Decision[] = user?.perm.modify ? ['keepBoth', 'replace', 'skip'] : ['keepBoth', 'skip']
  const settle = (decide: (id: string) => Decision) => {
    closePrompt()
    for (const { id } of conflicts) uploads.decide(id, decide(id))
  }
  return (
    <Dialog
      wide
      title={t('uploads.conflictTitle', { count: conflicts.length })}
      description={t('uploads.conflictText')}
      onClose={closePrompt}
      initialFocus={confirm}
      footer={
        <>
          {conflicts.length > 1 && <Button onClick={() => settle(() => 'skip')}>{t('uploads.skipAll')}</Button>}
          {conflicts.length > 1 && options.includes('replace') && (
            <Button onClick={() => settle(() => 'replace')}>{t('uploads.replaceAll')}</Button>
          )}
          <Button ref={confirm} kind="primary" onClick={() => settle(id => chosen.get(id) ?? 'keepBoth')}>
            {t('uploads.apply')}
          </Button>
        </>
      }
    >
      <ul className={styles.list}>
        {conflicts.slice(0, LISTED).map(conflict => (
          <ConflictItem
            key={conflict.id}
            conflict={conflict}
            options={options}
            value={chosen.get(conflict.id) ?? 'keepBoth'}
            onChange={decision => setChosen(new Map(chosen).set(conflict.id, decision))}
          />
        ))}
      </ul>
      {conflicts.length > LISTED && (
        <p className={styles.more}>{t('uploads.conflictMore', { count: conflicts.length - LISTED })}</p>
      )}
    </Dialog>
  )
}

interface ConflictItemProps {
  conflict: UploadConflict
  options: readonly Decision[]
  value: Decision
  onChange: (decision: Decision) => void
}

function ConflictItem({ conflict, options, value, onChange }: ConflictItemProps) {
  const name = shownName(nameOf(parsePath(conflict.path)))
  return (
    <li className={styles.item}>
      <bdi className={styles.name}>{name}</bdi>
      <p className={styles.version}>
        <span className={styles.label}>{t('uploads.oldVersion')}</span>
        {conflict.theirs ? versionText(conflict.theirs) : '–'}
      </p>
      <p className={styles.version}>
        <span className={styles.label}>{t('uploads.newVersion')}</span>
        {versionText(conflict.ours)}
      </p>
      <select
        className={styles.choice}
        value={value}
        aria-label={t('uploads.whatToDo', { name })}
        onChange={event => onChange(options.find(option => option === event.target.value) ?? 'keepBoth')}
      >
        {options.map(option => (
          <option key={option} value={option}>
            {t(LABELS[option])}
          </option>
        ))}
      </select>
    </li>
  )
}

function versionText({ size, modified }: UploadConflict['ours']): string {
  return `${formatBytes(size)} · ${formatDate(modified)}`
}
