import { useRef } from 'react'
import { nameOf, parsePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt, type PromptProps, type UploadConflict } from '../../../lib/prompts.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ALL, type Conflict, ConflictList, useDecisions } from '../../files/conflicts/conflict-list.tsx'
import { uploads } from '../runtime.ts'

/** Asks what to do about files that are already there: per file, or at once for all (specification section 8). */
export default function ReplacePrompt({ conflicts }: PromptProps['replace']) {
  const confirm = useRef<HTMLButtonElement>(null)
  const { user } = useSession()
  const decisions = useDecisions(user?.perm.modify ?? false, ALL)
  const listed = conflicts.map(listedConflict)
  const apply = () => {
    closePrompt()
    for (const conflict of listed) uploads.decide(conflict.id, decisions.of(conflict))
  }
  return (
    <Dialog
      wide
      title={t('uploads.conflictTitle', { count: conflicts.length })}
      description={t('uploads.conflictText')}
      onClose={closePrompt}
      initialFocus={confirm}
      footer={
        <Button ref={confirm} kind="primary" onClick={apply}>
          {t('conflicts.apply')}
        </Button>
      }
    >
      <ConflictList conflicts={listed} decisions={decisions} />
    </Dialog>
  )
}

function listedConflict({ id, path, ours, theirs }: UploadConflict): Conflict {
  return { id, name: nameOf(parsePath(path)), ours: { isDir: false, ...ours }, theirs }
}
