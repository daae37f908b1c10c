import { useId, useRef, useState } from 'react'
import { type FilePath, parentOf, parsePath, ROOT } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { knownFolder } from '../../files/api/list.ts'
import { DestinationPicker } from '../../files/operations/destination/picker.tsx'
import { rememberFolder } from '../../files/operations/destination/recent.ts'
import { type Restorable, restoreItems } from '../restore.ts'

/** Asks for the folder into which items are restored. */
export default function RestoreToPrompt({ items }: { items: readonly Restorable[] }) {
  const currentLine = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const [destination, setDestination] = useState<FilePath>(() => startOf(items))
  const [typing, setTyping] = useState<string>()
  const submit = () => {
    if (typing) return
    rememberFolder(destination)
    closePrompt()
    void restoreItems(items, destination)
  }
  return (
    <Dialog
      title={t('trash.restoreTo')}
      onClose={closePrompt}
      initialFocus={currentLine}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button
            kind="primary"
            aria-disabled={typing !== undefined || undefined}
            aria-describedby={hintId}
            onClick={submit}
          >
            {t('trash.bringBack')}
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
    </Dialog>
  )
}

/** The old folder of the first item if it is known to exist, else the topmost one. */
function startOf([first]: readonly Restorable[]): FilePath {
  const folder = first ? parentOf(parsePath(first.path)) : ROOT
  return knownFolder(folder) ? folder : ROOT
}
