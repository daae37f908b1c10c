import { useRef } from 'react'
import { t } from '../../../../lib/i18n/index.ts'
import { closePrompt } from '../../../../lib/prompts.ts'
import { useSession } from '../../../../lib/session.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import type { Conflict, Decided } from '../conflicts/conflict.ts'
import { ConflictList, useDecisions } from '../conflicts/conflict-list.tsx'

interface ReplacePromptProps {
  uploads?: true
  conflicts: readonly Conflict[]
  /** Number of conflicts that are not listed. */
  more?: number
  /** Whether existing items may be replaced; the user's permission where it is left out. */
  mayReplace?: boolean
  /** Closing the prompt without an answer changes nothing. */
  onDecide: (decided: Decided) => void
}

/** Prompts for decisions on conflicts of uploads, copies and moves: one by one, or for all at once. Enter confirms. */
export default function ReplacePrompt(props: ReplacePromptProps) {
  const { uploads, conflicts, more = 0, onDecide } = props
  const confirm = useRef<HTMLButtonElement>(null)
  const { user } = useSession()
  const decisions = useDecisions(conflicts, props.mayReplace ?? user?.perm.modify ?? false)
  const count = decisions.conflicts.length + more
  const apply = () => {
    onDecide({ of: decisions.of, rest: decisions.all })
    closePrompt()
  }
  return (
    <Dialog
      wide
      title={t(uploads ? 'uploads.conflictTitle' : 'conflicts.title', { count })}
      description={uploads ? t('uploads.conflictText', { count }) : t('conflicts.text')}
      onClose={closePrompt}
      initialFocus={confirm}
      footer={
        <>
          {!uploads && <Button onClick={closePrompt}>{t('common.cancel')}</Button>}
          <Button ref={confirm} kind="primary" onClick={apply}>
            {t('conflicts.apply')}
          </Button>
        </>
      }
    >
      <ConflictList decisions={decisions} more={more} />
    </Dialog>
  )
}
