import type { Group } from '../../../../shared/api/groups.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { removeGroup } from '../api/groups.ts'

interface DeleteGroupPromptProps {
  group: Group
  /** Runs after the group was deleted. */
  onDeleted: () => void
}

/** Confirms the deletion of a group. */
export default function DeleteGroupPrompt({ group, onDeleted }: DeleteGroupPromptProps) {
  const run = async () => {
    await removeGroup(group.id)
    closePrompt()
    notify('success', t('audit.groupRemoved'))
    onDeleted()
  }
  return (
    <ConfirmDialog
      title={t('users.deleteTitle', { name: group.name })}
      description={t('groups.deleteText', { count: group.members })}
      confirm={t('actions.delete')}
      run={run}
    />
  )
}
