import type { ShareLink } from '../../../../shared/api/shares.ts'
import { unlessMissing } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt, currentPrompt } from '../../../lib/prompts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { reloadShares, removeShare } from '../../files/api/share-links.ts'
import { offerUndo } from '../../files/operations/undo.ts'

interface ShareDeletePromptProps {
  link: Pick<ShareLink, 'hash' | 'path'>
  /** Opens the prompt to return to, if any. */
  back?: () => void
}

/** Confirms the deletion of a share link. */
export default function ShareDeletePrompt({ link, back: leave = closePrompt }: ShareDeletePromptProps) {
  const run = async () => {
    const id = currentPrompt()?.id
    const change = await unlessMissing(removeShare(link))
    offerUndo(t('shares.deleted'), [change], { after: () => void reloadShares() })
    await reloadShares()
    if (currentPrompt()?.id === id) leave()
  }
  return (
    <ConfirmDialog
      title={t('shares.deleteTitle')}
      description={t('shares.deleteText', { path: link.path })}
      confirm={t('actions.delete')}
      run={run}
      onClose={leave}
    />
  )
}
