import type { FilePath } from '../../../../../shared/path.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { openPrompt } from '../../../../lib/prompts.ts'
import { create } from '../create.ts'
import { NamePrompt } from './name-prompt.tsx'

interface CreatePromptProps {
  what: 'folder' | 'file'
  /** Parent of the new item. */
  folder: FilePath
  /** The refused name, and why it was refused. */
  value?: string
  problem?: string
}

/** Prompts for a name and creates a folder or an empty file. */
export default function CreatePrompt({ what, folder, value, problem }: CreatePromptProps) {
  const texts =
    what === 'folder'
      ? { title: t('files.newFolder'), label: t('files.folderName'), confirm: t('files.folderCreate') }
      : { title: t('naming.newFile'), label: t('naming.fileName'), confirm: t('naming.create') }
  const suggested = t(what === 'folder' ? 'files.newFolderDefault' : 'naming.newFileDefault')
  return (
    <NamePrompt
      {...texts}
      folder={folder}
      value={value ?? suggested}
      problem={problem}
      onName={name => {
        const retry = (reason: string) => openPrompt('create', { what, folder, value: name, problem: reason })
        void create(what, folder, name, { focus: true, retry })
        return undefined
      }}
    />
  )
}
