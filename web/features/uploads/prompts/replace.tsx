import { useRef } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt, type PromptProps, type UploadConflict } from '../../../lib/prompts.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { commonFolder, pathsFrom } from '../../files/common-folder.ts'
import { ALL, type Conflict, ConflictList, useDecisions } from '../../files/conflicts/conflict-list.tsx'
import { uploads } from '../runtime.ts'

/** Asks what to do about files that are already there: per file, or at once for all (specification section 8). */
export default function ReplacePrompt({ conflicts }: PromptProps['replace']) {
  const confirm = useRef<HTMLButtonElement>(null)
  const { user } = useSession()
  const decisions = useDecisions(user?.perm.modify ?? false, ALL)
  const listed = listOf(conflicts)
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

/** Names tell as much of the way to a file as sets the files apart: names alone may be the same in many folders. */
function listOf(conflicts: readonly UploadConflict[]): Conflict[] {
  const names = pathsFrom(commonFolder(conflicts), conflicts)
  return conflicts.map(({ id, path, ours, theirs }, index) => {
    return { id, name: names[index] ?? path, ours: { isDir: false, ...ours }, theirs }
  })
}
