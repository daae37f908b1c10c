import { useState } from 'react'
import type { PasskeyInfo } from '../../../../shared/api/passkeys.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useConfirmation } from '../../../ui/current-password.tsx'
import { removeFactors, renewCodes } from '../api/factors.ts'
import { AddPasskey, RemovePasskey, RenamePasskey } from '../factors/passkey-prompts.tsx'
import { RecoveryCodesDialog } from '../factors/recovery-codes.tsx'
import { SetUp } from '../factors/set-up.tsx'

type FactorPromptProps =
  | { task: 'setUp' | 'codes' | 'addPasskey' }
  /** `userId`: the user whose factors are removed, if not the caller. */
  | { task: 'remove'; userId: number | undefined }
  | { task: 'renamePasskey' | 'removePasskey'; passkey: PasskeyInfo }

/** Sets up a second factor or a passkey, replaces the recovery codes, or removes a factor. */
export default function FactorPrompt(props: FactorPromptProps) {
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes) return <RecoveryCodesDialog codes={codes} />
  switch (props.task) {
    case 'setUp':
      return <SetUp onDone={setCodes} />
    case 'codes':
      return <NewCodes onDone={setCodes} />
    case 'remove':
      return <Removal userId={props.userId} />
    case 'addPasskey':
      return <AddPasskey onCodes={setCodes} />
    case 'renamePasskey':
      return <RenamePasskey passkey={props.passkey} />
    case 'removePasskey':
      return <RemovePasskey passkey={props.passkey} />
  }
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

function Removal({ userId }: { userId: number | undefined }) {
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
