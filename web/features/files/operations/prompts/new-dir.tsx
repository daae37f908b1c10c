import { t } from '../../../../lib/i18n/index.ts'
import type { PromptProps } from '../../../../lib/prompts.ts'
import { create } from '../create.ts'
import { NamePrompt } from './name-prompt.tsx'

/** Prompts for a name and creates a folder. */
export default function NewDirPrompt({ folder, value, problem }: PromptProps['newDir']) {
  return (
    <NamePrompt
      title={t('files.newFolder')}
      label={t('files.folderName')}
      confirm={t('files.folderCreate')}
      folder={folder}
      value={value ?? t('files.newFolderDefault')}
      problem={problem}
      onName={name => void create('newDir', folder, name)}
    />
  )
}
