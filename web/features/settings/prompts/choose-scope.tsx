import { useId, useRef, useState } from 'react'
import { type FilePath, isWithin, parsePath, ROOT } from '../../../../shared/path.ts'
import { pageConfig } from '../../../lib/config.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { knownFolder } from '../../files/api/list.ts'
import { ownMountsQuery } from '../../files/api/own-mounts.ts'
import { DestinationPicker } from '../../files/operations/destination/picker.tsx'
import { useOwnScope } from '../api/own-scope.ts'
import { folderOf, scopeOf } from '../scope-path.ts'

interface ChooseScopeProps {
  /** The present one. */
  scope: string
  onChoose: (scope: string) => void
}

/** Asks for the folder that is the scope of users. */
export default function ChooseScopePrompt(props: ChooseScopeProps) {
  const own = useOwnScope()
  return own !== undefined && <Choice {...props} own={own} />
}

function Choice({ scope, onChoose, own }: ChooseScopeProps & { own: string }) {
  const currentLine = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const [folder, setFolder] = useState<FilePath>(() => startOf(folderOf(scope, own)))
  const isMounted = useIsMounted(folder)
  const [typing, setTyping] = useState<string>()
  const isRefused = isMounted || typing !== undefined
  const chosen = scopeOf(folder, own)
  const submit = () => {
    if (isRefused) return
    closePrompt()
    onChoose(chosen)
  }
  return (
    <Dialog
      title={t('fields.scope')}
      onClose={closePrompt}
      initialFocus={currentLine}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind="primary" aria-disabled={isRefused || undefined} aria-describedby={hintId} onClick={submit}>
            {t('settings.chooseFolder')}
          </Button>
        </>
      }
    >
      <DestinationPicker
        currentLine={currentLine}
        value={folder}
        onChange={setFolder}
        onProblem={setTyping}
        hint={
          typing ?? (isMounted ? t('settings.scopeIsTeamFolder') : folder === ROOT ? t('fields.scopeHint') : chosen)
        }
        hintId={hintId}
        onConfirm={submit}
      />
    </Dialog>
  )
}

/** A folder that is not known to exist has no row in the tree. */
const startOf = (folder: FilePath): FilePath => (knownFolder(folder) ? folder : ROOT)

/** Whether a folder belongs to another root. */
function useIsMounted(folder: FilePath): boolean {
  const { data = [] } = useQuery({ ...ownMountsQuery, enabled: pageConfig.Mounts })
  return data.some(({ path }) => isWithin(folder, parsePath(path)))
}
