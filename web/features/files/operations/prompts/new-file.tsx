import { t } from '../../../../lib/i18n/index.ts'
import type { PromptProps } from '../../../../lib/prompts.ts'
import { create } from '../create.ts'
import { NamePrompt } from './name-prompt.tsx'

/** Prompts for a name and creates an empty file. */
export default function NewFilePrompt({ folder, value, problem }: PromptProps['newFile']) {
  return (
    <NamePrompt
      title={t('naming.newFile')}
      label={t('naming.fileName')}
      confirm={t('naming.create')}
      folder={folder}
      value={value ?? t('naming.newFileDefault')}
      problem={problem}
      onName={name => void create('newFile', folder, name)}
    />
  )
}
