import { type Finding, type FindingState, stateOf } from '../../../shared/api/diagnostics.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'
import { Check, CircleAlert, X } from '../../ui/icons.ts'
import styles from './diagnostics.module.css'
import { sentenceOf } from './sentences.ts'

const STATES = {
  wrong: { label: 'diagnostics.wrong', icon: X },
  notable: { label: 'diagnostics.notable', icon: CircleAlert },
  fine: { label: 'diagnostics.fine', icon: Check },
} as const satisfies Record<FindingState, { label: MessageKey; icon: typeof X }>

const WORST_FIRST = Object.keys(STATES)

/** All findings, most severe first. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const rank = (finding: Finding) => WORST_FIRST.indexOf(stateOf(finding))
  const ordered = findings.toSorted((a, b) => rank(a) - rank(b))
  return (
    <ul className={styles.findings} aria-label={t('titles.diagnostics')}>
      {ordered.map(finding => (
        <Row key={`${finding.code} ${finding.what}`} finding={finding} />
      ))}
    </ul>
  )
}

function Row({ finding }: { finding: Finding }) {
  const state = stateOf(finding)
  const { label, icon: Icon } = STATES[state]
  const { lines = [] } = finding
  return (
    <li className={styles.finding}>
      <span className={styles.mark} data-state={state} role="img" aria-label={t(label)}>
        <Icon size={18} aria-hidden />
      </span>
      <div className={styles.seen}>
        {sentenceOf(finding)}
        {lines.length > 0 && (
          <pre className={styles.lines} dir="ltr">
            {lines.join('\n')}
          </pre>
        )}
      </div>
    </li>
  )
}
