import type { FilePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import type { LinkFolders } from '../../files/api/link-folders.ts'
import { freeName } from '../../files/items/names.ts'
import { NamePrompt } from '../../files/operations/prompts/name-prompt.tsx'
import { makeFolder } from '../edit/change.ts'
import type { Link } from '../link.ts'

interface VisitorFolderProps {
  link: Link
  folders: LinkFolders
  /** Parent of the new folder, below the link. */
  folder: FilePath
  /** The refused name, and why it was refused. */
  value?: string
  problem?: string
}

/** Prompts a visitor for a name, and makes a folder. */
export default function VisitorFolderPrompt({ link, folders, folder, value, problem }: VisitorFolderProps) {
  const taken = new Set(folders.known(folder)?.map(({ name }) => name))
  return (
    <NamePrompt
      title={t('files.newFolder')}
      label={t('files.folderName')}
      confirm={t('files.folderCreate')}
      folder={taken}
      value={value ?? freeName(t('files.newFolderDefault'), taken)}
      problem={problem}
      onName={name => {
        const retry = (reason: string) =>
          openPrompt('visitorFolder', { link, folders, folder, value: name, problem: reason })
        void makeFolder(link, folders, { folder, name, retry })
        return undefined
      }}
    />
  )
}
