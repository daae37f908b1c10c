import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import type { LinkFolders } from '../../files/api/link-folders.ts'
import { Names } from '../../files/operations/prompts/names.tsx'
import { deleteAll, refusalText } from '../edit/change.ts'
import type { Link } from '../link.ts'

interface VisitorDeleteProps {
  link: Link
  folders: LinkFolders
  items: readonly ResourceItem[]
}

/** Confirms a deletion by a visitor, who cannot undo it. */
export default function VisitorDeletePrompt({ link, folders, items }: VisitorDeleteProps) {
  const [first] = items
  const run = async () => {
    await deleteAll(link, folders, items)
    closePrompt()
  }
  return (
    <ConfirmDialog
      title={
        items.length === 1 && first
          ? t('links.deleteOne', { name: first.name })
          : t('links.deleteMany', { count: items.length })
      }
      description={t('links.deleteText')}
      confirm={t('actions.delete')}
      run={run}
      problemOf={error => refusalText(error)}
    >
      {items.length > 1 && <Names items={items.map(({ path, name }) => ({ key: path, name }))} />}
    </ConfirmDialog>
  )
}
