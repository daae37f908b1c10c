import { useState } from 'react'
import type { Change } from '../../../../shared/api/changes.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useOnline } from '../../../lib/online.ts'
import { Button } from '../../../ui/button.tsx'
import { subjectText } from './texts.ts'
import { undoChange } from './undo-change.ts'

/** Undoes a change, or does it again once it was undone. Nothing where neither is possible. */
export function UndoButton({ change }: { change: Change }) {
  const isOnline = useOnline()
  const [isBusy, setBusy] = useState(false)
  const target = targetOf(change)
  if (!target) return null
  const what = subjectText(change)
  const run = async () => {
    setBusy(true)
    await undoChange(target.change, 'list')
    setBusy(false)
  }
  return (
    <Button
      busy={isBusy}
      disabled={!isOnline}
      aria-label={target.again ? t('changes.redoOf', { what }) : t('changes.undoOf', { what })}
      onClick={() => void run()}
    >
      {target.again ? t('actions.redo') : t('actions.undo')}
    </Button>
  )
}

/** What the button undoes: the change, or the one that undid it. */
function targetOf(change: Change): { change: Change | string; again: boolean } | undefined {
  if (change.state === 'open') return undefined
  if (change.undo.can) return { change, again: change.kind === 'undo' }
  return change.kind !== 'undo' && change.undoneBy !== undefined ? { change: change.undoneBy, again: true } : undefined
}
