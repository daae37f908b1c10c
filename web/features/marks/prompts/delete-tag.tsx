import type { Tag } from '../../../../shared/api/tags.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { navigate } from '../../../lib/router.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { deleteTag } from '../../files/api/tags.ts'
import { reloadTagged } from '../change-tags.ts'

/** Confirms that a tag leaves all items. */
export default function DeleteTagPrompt({ tag: { id, name } }: { tag: Tag }) {
  const run = async () => {
    await deleteTag(id)
    closePrompt()
    await navigate('/tags', { replace: true })
    await reloadTagged()
  }
  return (
    <ConfirmDialog
      title={t('tags.delete')}
      description={t('tags.deleteText', { name })}
      confirm={t('actions.delete')}
      run={run}
    />
  )
}
