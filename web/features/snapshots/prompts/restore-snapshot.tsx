import { useId, useRef, useState } from 'react'
import type { RestoredEntry, SnapshotRestore } from '../../../../shared/api/snapshots.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { type FilePath, nameOf, parentOf, parsePath, trustedChild } from '../../../../shared/path.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt, promptAfterOthers } from '../../../lib/prompts.ts'
import { filesUrl, navigate } from '../../../lib/router.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { errorMessageOf } from '../../files/api/error-messages.ts'
import { jobErrorOf } from '../../files/api/job-error.ts'
import { reloadFolders } from '../../files/api/list.ts'
import { restoreSnapshot } from '../../files/api/snapshots.ts'
import { intoText } from '../../files/items/into-text.ts'
import { DestinationPicker } from '../../files/operations/destination/picker.tsx'
import { rememberFolder } from '../../files/operations/destination/recent.ts'
import styles from '../snapshots.module.css'

type Conflict = NonNullable<SnapshotRestore['conflict']>

interface RestoreSnapshotProps {
  items: readonly { path: string; name: string }[]
  /** The id of the snapshot. */
  at: string
  /** Whether a folder is chosen; else they go where they were. */
  copies: boolean
}

/** Asks what to do where a file exists, and where copies go; then restores items from a snapshot. */
export default function RestoreSnapshotPrompt({ items, at, copies }: RestoreSnapshotProps) {
  const first = useRef<HTMLDivElement>(null)
  const hintId = useId()
  const [conflict, setConflict] = useState<Conflict>('keepBoth')
  const [into, setInto] = useState<FilePath>(() => parentOf(parsePath(items[0]?.path ?? '/')))
  const [typing, setTyping] = useState<string>()
  const submit = () => {
    if (typing) return
    if (copies) rememberFolder(into)
    closePrompt()
    void restore({ items, at, conflict, ...(copies && { into }) })
  }
  return (
    <Dialog
      title={copies ? t('actions.copyTo') : t('snapshots.restore')}
      onClose={closePrompt}
      {...(copies && { initialFocus: first })}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind="primary" aria-disabled={typing !== undefined || undefined} onClick={submit}>
            {copies ? t('picker.copy') : t('trash.bringBack')}
          </Button>
        </>
      }
    >
      <div className={styles.fields}>
        {copies ? (
          <DestinationPicker
            currentLine={first}
            value={into}
            onChange={setInto}
            onProblem={setTyping}
            hint={typing ?? intoText(into)}
            hintId={hintId}
            onConfirm={submit}
          />
        ) : (
          <p>{t('snapshots.restoreText')}</p>
        )}
        <SelectField
          label={t('snapshots.taken')}
          value={conflict}
          choices={[
            { value: 'keepBoth', label: t('conflicts.keepBoth') },
            { value: 'replace', label: t('conflicts.replace') },
            { value: 'skip', label: t('conflicts.skip') },
          ]}
          onChange={value => setConflict(value as Conflict)}
        />
      </div>
    </Dialog>
  )
}

interface Order extends Pick<RestoreSnapshotProps, 'items' | 'at'> {
  conflict: Conflict
  into?: FilePath
}

/** Never rejects; it reports failures. */
async function restore({ items, at, conflict, into }: Order): Promise<void> {
  const results: RestoredEntry[] = []
  try {
    for (const { path } of items) {
      const from = parsePath(path)
      const to = into === undefined ? from : trustedChild(into, nameOf(from))
      results.push(...(await restoreSnapshot(to, { at, from, conflict })))
    }
  } catch (thrown) {
    notify('error', errorText(thrown))
  }
  await reloadFolders()
  report(results, () => void restore({ items, at, conflict, ...(into !== undefined && { into }) }))
}

function report(results: readonly RestoredEntry[], onRetry: () => void): void {
  const back = results.filter(({ state }) => state === 'restored')
  const [first] = back
  if (first) {
    const show = () => void navigate(filesUrl(parentOf(parsePath(first.path)), true))
    const item = shownName(nameOf(parsePath(first.path)))
    notify('success', t('trash.restored', { count: back.length, item }), { label: t('trash.show'), run: show })
  }
  const failed = results.filter(({ state }) => state === 'failed')
  if (failed.length === 0) return
  void promptAfterOthers('error', {
    title: t('trash.restoreFailed', { count: failed.length }),
    failures: failed.map(({ path, code = '' }) => ({
      name: nameOf(parsePath(path)),
      reason: errorMessageOf(jobErrorOf(code)),
    })),
    onRetry,
  })
}
