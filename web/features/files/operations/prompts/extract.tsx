import { useId, useRef, useState } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import type { ConflictChoice } from '../../../../../shared/conflicts.ts'
import { childOf, type FilePath, parentOf, parsePath } from '../../../../../shared/path.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { closePrompt } from '../../../../lib/prompts.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextField } from '../../../../ui/field.tsx'
import { SelectField } from '../../../../ui/select-field.tsx'
import { knownFolder } from '../../api/list.ts'
import { archiveStem, freeStem, nameProblem } from '../../items/names.ts'
import { DestinationPicker } from '../destination/picker.tsx'
import { rememberFolder } from '../destination/recent.ts'
import { extractItem } from '../extract.ts'

interface ExtractPromptProps {
  item: Pick<ResourceItem, 'path' | 'name'>
}

const CHOICES = ['keepBoth', 'replace', 'replaceOlder', 'skip', 'skipIdentical'] as const

/**
 * Prompts for the destination of an archive's content: by default a new folder; an empty name means the folder itself.
 */
export default function ExtractPrompt({ item }: ExtractPromptProps) {
  const currentLine = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const [destination, setDestination] = useState<FilePath>(() => parentOf(parsePath(item.path)))
  const [folder, setFolder] = useState(() => suggestion(destination, item.name))
  const [conflict, setConflict] = useState<ConflictChoice>('keepBoth')
  const problem = folder === '' ? undefined : nameProblem(folder)
  const [typing, setTyping] = useState<string>()
  const submit = () => {
    if (problem ?? typing) return
    rememberFolder(destination)
    closePrompt()
    void extractItem({ item, to: folder === '' ? destination : childOf(destination, folder), conflict })
  }
  return (
    <Dialog
      title={t('picker.extractOne', { name: item.name })}
      onClose={closePrompt}
      initialFocus={currentLine}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button
            kind="primary"
            aria-disabled={(problem ?? typing) !== undefined || undefined}
            aria-describedby={hintId}
            onClick={submit}
          >
            {t('picker.extract')}
          </Button>
        </>
      }
    >
      <DestinationPicker
        currentLine={currentLine}
        value={destination}
        onChange={setDestination}
        onProblem={setTyping}
        hint={typing ?? t('picker.into', { path: destination })}
        hintId={hintId}
        onConfirm={submit}
      />
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
    </Dialog>
  )
}

/** Named like the archive; numbered if taken. */
function suggestion(folder: FilePath, name: string): string {
  const taken = new Set(knownFolder(folder)?.items.map(item => item.name))
  return freeStem(archiveStem(name), '', taken)
}
