import type { Mount } from '../../../../shared/api/mounts.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { removeMount } from '../api/mounts.ts'

/** Confirms the removal of a mount. */
export default function RemoveMountPrompt({ mount: { id, name } }: { mount: Mount }) {
  const run = async () => {
    await removeMount(id)
    closePrompt()
    notify('success', t('audit.mountRemoved'))
  }
  return (
    <ConfirmDialog
      title={t('mounts.removeTitle', { name })}
      description={t('mounts.removeText')}
      confirm={t('mounts.remove')}
      run={run}
    />
  )
}
