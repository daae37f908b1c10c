import { useState } from 'react'
import { t } from '../../lib/i18n/index.ts'
import { TextField } from '../field.tsx'
import { Check, X } from '../icons.ts'
import styles from './editor.module.css'
import { type Engine, judge, type RuleDraft, type Verdict } from './rules.ts'

/** Shows the effect of the current rules on a path. */
export function RuleTester({ rules, engine }: { rules: readonly RuleDraft[]; engine: Engine | undefined }) {
  const [path, setPath] = useState('')
  const verdict = path === '' ? undefined : judge(rules, path, engine)
  return (
    <div className={styles.tester}>
      <TextField
        label={t('rules.try')}
        hint={t('rules.tryHint')}
        placeholder="/photos/2026/a.jpg"
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={path}
        onChange={event => setPath(event.target.value)}
        onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
      />
      <p className={styles.verdict} role="status" data-allowed={verdict?.allowed}>
        {verdict && (
          <>
            {verdict.allowed ? <Check size={16} aria-hidden /> : <X size={16} aria-hidden />}
            {verdictText(verdict)}
          </>
        )}
      </p>
    </div>
  )
}

function verdictText({ allowed, rule }: Verdict): string {
  if (rule === -1) return t('rules.unmatched')
  return allowed ? t('rules.allowedBy', { number: rule + 1 }) : t('rules.deniedBy', { number: rule + 1 })
}
