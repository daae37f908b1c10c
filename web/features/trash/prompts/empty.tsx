import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { emptyTrash } from '../purge.ts'

/** Confirms that the trash is emptied. @param mine only what the user deleted */
export default function EmptyPrompt({ mine }: { mine: boolean }) {
  const run = () => {
    closePrompt()
    void emptyTrash(mine)
  }
  return (
    <ConfirmDialog
      title={t('trash.emptyTitle')}
      description={t(mine ? 'trash.emptyOwn' : 'trash.emptyText')}
      confirm={t('trash.emptyConfirm')}
      run={run}
    />
  )
}
