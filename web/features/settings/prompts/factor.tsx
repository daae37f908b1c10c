import { useState } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useConfirmation } from '../../../ui/current-password.tsx'
import { removeFactors, renewCodes } from '../api/factors.ts'
import { RecoveryCodesDialog } from '../factors/recovery-codes.tsx'
import { SetUp } from '../factors/set-up.tsx'

interface FactorPromptProps {
  task: 'setUp' | 'codes' | 'remove'
  /** The user whose factors are removed, if not the caller. */
  userId: number | undefined
}

/** Sets up a second factor, replaces its recovery codes, or removes it. */
export default function FactorPrompt({ task, userId }: FactorPromptProps) {
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes) return <RecoveryCodesDialog codes={codes} />
  if (task === 'setUp') return <SetUp onDone={setCodes} />
  return task === 'codes' ? <NewCodes onDone={setCodes} /> : <Removal userId={userId} />
}

function NewCodes({ onDone }: { onDone: (codes: readonly string[]) => void }) {
  const confirmation = useConfirmation()
  return (
    <ConfirmDialog
      title={t('factors.newCodesTitle')}
      description={t('factors.newCodesText')}
      confirm={t('factors.newCodes')}
      confirmation={confirmation}
      run={async () => onDone((await renewCodes(confirmation.password)).codes)}
    />
  )
}

function Removal({ userId }: Pick<FactorPromptProps, 'userId'>) {
  const confirmation = useConfirmation()
  const run = async () => {
    await removeFactors(confirmation.password, userId)
    notify('success', t('factors.off'))
    closePrompt()
  }
  return (
    <ConfirmDialog
      title={t('factors.turnOffTitle')}
      description={t(userId === undefined ? 'factors.turnOffText' : 'factors.resetText')}
      confirm={t('factors.turnOff')}
      confirmation={confirmation}
      run={run}
    />
  )
}
