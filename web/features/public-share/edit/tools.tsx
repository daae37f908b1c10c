import type { FilePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { FolderPlus } from '../../../ui/icons.ts'
import type { Link } from '../link.ts'
import type { Edit } from './edit.ts'

interface EditToolsProps {
  link: Link
  edit: Edit
  /** Below the link. */
  folder: FilePath
  name: string
}

/** What a visitor can add to a folder. */
export default function EditTools({ link, edit, folder, name }: EditToolsProps) {
  const { rights, folders, UploadButton } = edit
  const { hash } = link
  return (
    <>
      {rights.includes('create') && <UploadButton hash={hash} folders={folders} folder={folder} name={name} />}
      {rights.includes('create') && (
        <Button
          icon={<FolderPlus size={18} aria-hidden />}
          onClick={() => openPrompt('visitorFolder', { link, folders, folder })}
        >
          {t('actions.newFolder')}
        </Button>
      )}
    </>
  )
}
