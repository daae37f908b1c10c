import { useState } from 'react'
import type { Change } from '../../../../shared/api/changes.ts'
import { ChangeLine } from './change-line.tsx'
import { Steps } from './steps.tsx'
import { UndoButton } from './undo-button.tsx'

/** A change in a list, with its steps on demand, and its undo. */
export function ChangeRow({ change }: { change: Change }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <ChangeLine
      change={change}
      isOpen={isOpen}
      onToggle={() => setOpen(!isOpen)}
      actions={<UndoButton change={change} />}
    >
      <Steps change={change} />
    </ChangeLine>
  )
}
