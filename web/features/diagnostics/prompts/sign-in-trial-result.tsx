import type { SignInTrial, TrialStep } from '../../../../shared/api/trials.ts'
import { type MessageKey, t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Check, X } from '../../../ui/icons.ts'
import styles from '../diagnostics.module.css'

interface SignInTrialResultProps {
  trial: SignInTrial
}

const STEPS = {
  description: 'diagnostics.step.description',
  token: 'diagnostics.step.token',
  userInfo: 'diagnostics.step.userInfo',
  connection: 'diagnostics.step.connection',
  entry: 'diagnostics.step.entry',
  password: 'diagnostics.step.password',
  groups: 'diagnostics.step.groups',
} as const satisfies Record<TrialStep['step'], MessageKey>

/** How a sign-in would go: the steps, the account that follows, the groups, and what arrived. */
export default function SignInTrialResult({ trial: { label, steps, arrived } }: SignInTrialResultProps) {
  return (
    <Dialog
      wide
      title={t('diagnostics.trialNamed', { what: label })}
      description={t('diagnostics.trialText')}
      onClose={closePrompt}
      footer={
        <Button kind="primary" onClick={closePrompt}>
          {t('common.close')}
        </Button>
      }
    >
      <ul className={styles.findings}>
        {steps.map(({ step, found, failed }) => (
          <Line key={step} good={failed === undefined} text={t(STEPS[step])} detail={failed ?? found} />
        ))}
        {arrived && <AccountLine account={arrived.account} />}
      </ul>
      {arrived && <ArrivedList arrived={arrived} />}
    </Dialog>
  )
}

type ArrivedFacts = NonNullable<SignInTrial['arrived']>

function AccountLine({ account: { outcome, username, reason } }: Pick<ArrivedFacts, 'account'>) {
  if (outcome === 'refused') return <Line good={false} text={t('diagnostics.trialRefused')} detail={reason} />
  const text = t(outcome === 'new' ? 'diagnostics.trialNew' : 'diagnostics.trialKnown', { name: username })
  return <Line good text={text} />
}

function Line({ good, text, detail }: { good: boolean; text: string; detail?: string | undefined }) {
  const Icon = good ? Check : X
  return (
    <li className={styles.finding}>
      <span
        className={styles.mark}
        data-state={good ? 'fine' : 'wrong'}
        role="img"
        aria-label={t(good ? 'diagnostics.fine' : 'diagnostics.wrong')}
      >
        <Icon size={18} aria-hidden />
      </span>
      <div className={styles.seen}>
        {text}
        {detail !== undefined && detail !== '' && (
          <p className={styles.where}>
            <bdi>{detail}</bdi>
          </p>
        )}
      </div>
    </li>
  )
}

function ArrivedList({ arrived: { claims, groups, groupsHere, groupsMissing } }: { arrived: ArrivedFacts }) {
  return (
    <>
      <dl className={styles.settings}>
        <Pair name={t('diagnostics.trialGroups')} value={groups} />
        <Pair name={t('diagnostics.trialGroupsHere')} value={groupsHere} />
        {groupsMissing.length > 0 && <Pair name={t('diagnostics.trialGroupsMissing')} value={groupsMissing} />}
      </dl>
      <details open>
        <summary className={styles.arrived}>{t('diagnostics.trialArrived')}</summary>
        <dl className={styles.settings}>
          {claims.map(({ name, value }) => (
            <div key={name} className={styles.claim}>
              <dt className={styles.name}>
                <bdi>{name}</bdi>
              </dt>
              <dd className={styles.where}>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  )
}

function Pair({ name, value }: { name: string; value: readonly string[] }) {
  return (
    <div className={styles.claim}>
      <dt>{name}</dt>
      <dd className={styles.value}>
        {value.length === 0 ? t('diagnostics.trialNone') : <bdi>{value.join(' · ')}</bdi>}
      </dd>
    </div>
  )
}
