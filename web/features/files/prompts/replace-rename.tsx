import { useRef } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt, type PromptProps } from '../../../lib/prompts.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ALL, ConflictList, useDecisions } from '../conflicts/conflict-list.tsx'

/** Asks what becomes of copied or moved things whose names are taken (specification section 4). Enter confirms. */
export default function ReplaceRenamePrompt({ conflicts, onDecide }: PromptProps['replace-rename']) {
  const confirm = useRef<HTMLButtonElement>(null)
  const { user } = useSession()
  const decisions = useDecisions(user?.perm.modify ?? false, ALL)
  const listed = conflicts.map(({ ours, theirs }) => ({ id: ours.path, name: ours.name, ours, theirs }))
  const apply = () => {
    onDecide(listed.map(conflict => decisions.of(conflict)))
    closePrompt()
  }
  return (
    <Dialog
      wide
      title={t('conflicts.title', { count: conflicts.length })}
      description={t('conflicts.text')}
      onClose={closePrompt}
      initialFocus={confirm}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button ref={confirm} kind="primary" onClick={apply}>
            {t('conflicts.apply')}
          </Button>
        </>
      }
    >
      <ConflictList conflicts={listed} decisions={decisions} />
    </Dialog>
  )
}
