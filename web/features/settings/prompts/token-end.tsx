import type { TokenInfo } from '../../../../shared/api/tokens.ts'
import { unlessMissing } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt, currentPrompt } from '../../../lib/prompts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { endToken, reloadTokens } from '../api/tokens.ts'

interface TokenEndPromptProps {
  token: Pick<TokenInfo, 'id' | 'label'>
  /** Its user, if not the caller. */
  userId: number | undefined
}

/** Confirms the end of an API token. */
export default function TokenEndPrompt({ token: { id, label }, userId }: TokenEndPromptProps) {
  const run = async () => {
    const prompt = currentPrompt()?.id
    await unlessMissing(endToken(id, userId))
    notify('success', t('tokens.revoked'))
    await reloadTokens()
    if (currentPrompt()?.id === prompt) closePrompt()
  }
  return (
    <ConfirmDialog
      title={t('tokens.revokeTitle', { name: label })}
      description={t('tokens.revokeText')}
      confirm={t('tokens.revoke')}
      run={run}
    />
  )
}
