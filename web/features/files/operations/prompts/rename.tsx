import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { parentOf, parsePath } from '../../../../../shared/path.ts'
import { pageConfig } from '../../../../lib/config.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { openPrompt } from '../../../../lib/prompts.ts'
import { rename } from '../rename.ts'
import { NamePrompt } from './name-prompt.tsx'

interface RenamePromptProps {
  item: ResourceItem
  /** The refused name, and why it was refused. */
  value?: string
  problem?: string
}

/** Prompts for a new name in the same folder. */
export default function RenamePrompt({ item, value, problem }: RenamePromptProps) {
  return (
    <NamePrompt
      title={t('naming.renameTitle', { name: item.name })}
      label={t('naming.newName')}
      confirm={t('actions.rename')}
      folder={parentOf(parsePath(item.path))}
      value={value ?? item.name}
      problem={problem}
      hint={pageConfig.MovesByCopy ? t('transfer.copiesAll') : undefined}
      own={item.name}
      onName={name => {
        void rename(item, name, {
          focus: true,
          retry: reason => openPrompt('rename', { item, value: name, problem: reason }),
        })
        return undefined
      }}
    />
  )
}
