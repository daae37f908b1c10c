import { useId } from 'react'
import { t } from '../../lib/i18n/index.ts'
import { IconButton } from '../button.tsx'
import { Checkbox } from '../checkbox.tsx'
import inputs from '../field.module.css'
import { ArrowDown, ArrowUp, Trash2 } from '../icons.ts'
import styles from './editor.module.css'
import type { RuleDraft, RuleProblem } from './rules.ts'

export interface RuleRowProps {
  rule: RuleDraft
  index: number
  count: number
  problem: RuleProblem | undefined
  /** The server's error. */
  refusal: string | undefined
  onChange: (part: Partial<RuleDraft>) => void
  /** @param by -1 up, 1 down */
  onMove: (by: -1 | 1) => void
  onRemove: () => void
}

export function RuleRow({ rule, index, count, problem, refusal, onChange, onMove, onRemove }: RuleRowProps) {
  const noteId = useId()
  const number = index + 1
  const wrong = refusal !== undefined || problem === 'badExpression'
  const note = refusal ?? (problem && noteOf(problem))
  return (
    <li className={styles.row} data-rule={rule.key}>
      <select
        className={`${inputs.input} ${styles.effect}`}
        aria-label={t('rules.effect', { number })}
        value={rule.allow ? 'allow' : 'deny'}
        onChange={event => onChange({ allow: event.target.value === 'allow' })}
      >
        <option value="allow">{t('rules.allow')}</option>
        <option value="deny">{t('rules.deny')}</option>
      </select>
      <RuleText rule={rule} index={index} wrong={wrong} noteId={note ? noteId : undefined} onChange={onChange} />
      <div className={styles.regex}>
        <Checkbox label={t('common.regex')} checked={rule.regex} onChange={regex => onChange({ regex })} />
      </div>
      <div className={styles.buttons}>
        <IconButton
          label={t('rules.up', { number })}
          aria-disabled={index === 0 || undefined}
          onClick={() => onMove(-1)}
        >
          <ArrowUp size={18} aria-hidden />
        </IconButton>
        <IconButton
          label={t('rules.down', { number })}
          aria-disabled={number === count || undefined}
          onClick={() => onMove(1)}
        >
          <ArrowDown size={18} aria-hidden />
        </IconButton>
        <IconButton label={t('rules.remove', { number })} data-part="remove" onClick={onRemove}>
          <Trash2 size={18} aria-hidden />
        </IconButton>
      </div>
      {note && (
        <p id={noteId} className={styles.note} data-error={wrong || undefined}>
          {note}
        </p>
      )}
    </li>
  )
}

function noteOf(problem: RuleProblem): string {
  if (problem === 'relative') return t('rules.relative')
  return problem === 'everything' ? t('rules.everything') : t('fields.badExpression')
}

interface RuleTextProps extends Pick<RuleRowProps, 'rule' | 'index' | 'onChange'> {
  wrong: boolean
  noteId: string | undefined
}

/** The path, or the regular expression. Enter does nothing here. */
function RuleText({ rule, index, wrong, noteId, onChange }: RuleTextProps) {
  const number = index + 1
  return (
    <input
      className={`${inputs.input} ${styles.text}`}
      data-part="text"
      data-field={`rules[${index}].${rule.regex ? 'regexp.raw' : 'path'}`}
      aria-label={rule.regex ? t('rules.expression', { number }) : t('rules.path', { number })}
      aria-describedby={noteId}
      aria-invalid={wrong || undefined}
      placeholder={rule.regex ? '^/[^/]+\\.tmp$' : '/photos/private'}
      dir="ltr"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={rule.regex ? rule.expression : rule.path}
      onChange={event => onChange(rule.regex ? { expression: event.target.value } : { path: event.target.value })}
      onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
    />
  )
}
