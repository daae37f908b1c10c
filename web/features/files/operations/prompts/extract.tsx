import { useState } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import type { ConflictChoice } from '../../../../../shared/conflicts.ts'
import { childOf, type FilePath, parentOf, parsePath } from '../../../../../shared/path.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { TextField } from '../../../../ui/field.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { knownFolder } from '../../api/list.ts'
import { archiveStem, freeStem, nameProblem } from '../../items/names.ts'
import { DestinationDialog } from '../destination/dialog.tsx'
import { extractItem } from '../extract.ts'

interface ExtractPromptProps {
  item: Pick<ResourceItem, 'path' | 'name'>
}

const CHOICES = ['keepBoth', 'replace', 'replaceOlder', 'skip', 'skipIdentical'] as const

/**
 * Prompts for the destination of an archive's content: by default a new folder; an empty name means the folder itself.
 */
export default function ExtractPrompt({ item }: ExtractPromptProps) {
  const [destination, setDestination] = useState<FilePath>(() => parentOf(parsePath(item.path)))
  const [folder, setFolder] = useState(() => suggestion(destination, item.name))
  const [conflict, setConflict] = useState<ConflictChoice>('keepBoth')
  const problem = folder === '' ? undefined : nameProblem(folder)
  const extract = () =>
    void extractItem({ item, to: folder === '' ? destination : childOf(destination, folder), conflict })
  return (
    <DestinationDialog
      title={t('picker.extractOne', { name: item.name })}
      action={t('picker.extract')}
      value={destination}
      onChange={setDestination}
      isRefused={problem !== undefined}
      onConfirm={extract}
    >
      <TextField
        label={t('conflicts.folder')}
        value={folder}
        error={problem}
        spellCheck={false}
        autoComplete="off"
        onChange={event => setFolder(event.currentTarget.value)}
      />
      <SelectField
        label={t('conflicts.theirs')}
        value={conflict}
        choices={CHOICES.map(value => ({ value, label: t(`conflicts.${value}`) }))}
        onChange={value => setConflict(CHOICES.find(choice => choice === value) ?? 'keepBoth')}
      />
    </DestinationDialog>
  )
}

/** Named like the archive; numbered if taken. */
function suggestion(folder: FilePath, name: string): string {
  const taken = new Set(knownFolder(folder)?.items.map(item => item.name))
  return freeStem(archiveStem(name), '', taken)
}
