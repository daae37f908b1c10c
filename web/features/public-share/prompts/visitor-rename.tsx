import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { parentOf, parsePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import type { LinkFolders } from '../../files/api/link-folders.ts'
import { NamePrompt } from '../../files/operations/prompts/name-prompt.tsx'
import { renameItem } from '../edit/change.ts'
import type { Link } from '../link.ts'

interface VisitorRenameProps {
  link: Link
  folders: LinkFolders
  item: ResourceItem
  /** The refused name, and why it was refused. */
  value?: string
  problem?: string
}

/** Prompts a visitor for a new name in the same folder. */
export default function VisitorRenamePrompt({ link, folders, item, value, problem }: VisitorRenameProps) {
  const taken = new Set(folders.known(parentOf(parsePath(item.path)))?.map(({ name }) => name))
  return (
    <NamePrompt
      title={t('naming.renameTitle', { name: item.name })}
      label={t('naming.newName')}
      confirm={t('actions.rename')}
      folder={taken}
      value={value ?? item.name}
      problem={problem}
      own={item.name}
      onName={name => {
        const retry = (reason: string) =>
          openPrompt('visitorRename', { link, folders, item, value: name, problem: reason })
        void renameItem(link, folders, { item, name, retry })
        return undefined
      }}
    />
  )
}
