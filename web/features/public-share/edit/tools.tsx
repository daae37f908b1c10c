import type { FilePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { FolderPlus } from '../../../ui/icons.ts'
import type { Link } from '../link.ts'
import { begin } from './begin.ts'
import type { Edit } from './edit.ts'
import VisitorName from './visitor-name.tsx'

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
      {link.sender !== undefined && rights.length > 0 && <VisitorName link={link} />}
      {rights.includes('create') && (
        <UploadButton {...{ hash, folders, folder, name }} begin={act => begin(link, act)} />
      )}
      {rights.includes('create') && (
        <Button
          icon={<FolderPlus size={18} aria-hidden />}
          onClick={() => begin(link, () => openPrompt('visitorFolder', { link, folders, folder }))}
        >
          {t('actions.newFolder')}
        </Button>
      )}
    </>
  )
}
