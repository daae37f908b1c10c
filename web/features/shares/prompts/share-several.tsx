import { useState } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { FilePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { knownFolder } from '../../files/api/list.ts'
import { freeName } from '../../files/items/names.ts'
import { NamePrompt } from '../../files/operations/prompts/name-prompt.tsx'
import { shareSeveral } from '../share-several.ts'

interface ShareSeveralProps {
  /** That of the new folder. */
  folder: FilePath
  items: readonly ResourceItem[]
  /** The refused name, and why it was refused. */
  value?: string
  problem?: string
}

/** Prompts for the name of the folder in which several items are shared. */
export default function ShareSeveralPrompt({ folder, items, value, problem }: ShareSeveralProps) {
  const [name] = useState(() => value ?? suggestion(folder))
  return (
    <NamePrompt
      title={t('links.several', { count: items.length })}
      label={t('files.folderName')}
      confirm={t('naming.create')}
      hint={t('links.severalHint')}
      folder={folder}
      value={name}
      problem={problem}
      onName={named => void shareSeveral({ folder, items, name: named })}
    />
  )
}

function suggestion(folder: FilePath): string {
  const taken = new Set(knownFolder(folder)?.items.map(item => item.name))
  return freeName(t('links.severalDefault'), taken)
}
