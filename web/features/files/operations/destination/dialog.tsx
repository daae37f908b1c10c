import { type ReactNode, useId, useRef, useState } from 'react'
import type { FilePath } from '../../../../../shared/path.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { closePrompt } from '../../../../lib/prompts.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { intoText } from '../../items/into-text.ts'
import { DestinationPicker, type OtherFolders } from './picker.tsx'
import { rememberFolder } from './recent.ts'

interface DestinationDialogProps {
  title: string
  /** The label of the confirming button. */
  action: string
  value: FilePath
  onChange: (path: FilePath) => void
  /** Whether what is entered is refused, apart from the path that is typed. */
  isRefused?: boolean
  /** A sentence about the selected folder; by default that it is the destination. */
  hint?: string | undefined
  /** Called with a folder to which everything may go, when the prompt is closed. */
  onConfirm: () => void
  /** To choose among instead of the user's own. */
  others?: OtherFolders
  /** A secondary button. */
  aside?: (isRefused: boolean) => ReactNode
  children?: ReactNode
}

/** A prompt for a destination. Enter confirms, also from the folder tree. */
export function DestinationDialog(props: DestinationDialogProps) {
  const { title, action, value, onChange, others, onConfirm, aside, children } = props
  const { hint = intoText(value, others?.source.top) } = props
  const currentLine = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const [typing, setTyping] = useState<string>()
  const isRefused = typing !== undefined || (props.isRefused ?? false)
  const submit = () => {
    if (isRefused) return
    if (!others) rememberFolder(value)
    closePrompt()
    onConfirm()
  }
  return (
    <Dialog
      title={title}
      onClose={closePrompt}
      initialFocus={currentLine}
      aside={aside?.(isRefused)}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind="primary" aria-disabled={isRefused || undefined} aria-describedby={hintId} onClick={submit}>
            {action}
          </Button>
        </>
      }
    >
      <DestinationPicker
        currentLine={currentLine}
        value={value}
        onChange={onChange}
        onProblem={setTyping}
        hint={typing ?? hint}
        hintId={hintId}
        onConfirm={submit}
        others={others}
      />
      {children}
    </Dialog>
  )
}
