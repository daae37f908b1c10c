import { useEffect, useRef, useState } from 'react'
import type { SizesAnswer } from '../../../../shared/api/sizes.ts'
import { type FilePath, nameOf, ROOT, segmentsOf, trustedChild } from '../../../../shared/path.ts'
import { errorText } from '../../../lib/error-text.ts'
import { formatBytes, formatFacts } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify, openOffers } from '../../../lib/notices.ts'
import { closePrompt, currentPrompt, promptAfterOthers } from '../../../lib/prompts.ts'
import { queryClient } from '../../../lib/query.ts'
import { currentFolder, filesUrl, navigate } from '../../../lib/router.tsx'
import { Breadcrumb } from '../../../ui/breadcrumb.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { onFoldersChanged } from '../../files/api/list.ts'
import { requestFocus } from '../../files/items/focus-request.ts'
import { undoAll } from '../../files/operations/undo.ts'
import { sizesQuery, useSizes } from '../query.ts'
import styles from '../sizes.module.css'
import { type SizesCommands, SizesTable } from '../table.tsx'
import { Treemap } from '../treemap.tsx'

interface SizesPromptProps {
  folder: FilePath
}

/** Polling interval in milliseconds while sizes are still being computed. */
const POLL_INTERVAL = 1000

/** The disk usage of a folder and its subfolders. */
export default function SizesPrompt({ folder }: SizesPromptProps) {
  const [path, setPath] = useState(folder)
  const { data, error, refetch } = useSizes(path, 'all', POLL_INTERVAL)
  const summary = useRef<HTMLParagraphElement>(null)
  const go = (to: FilePath) => {
    // The focused element is removed; the totals of the new folder are announced instead.
    summary.current?.focus()
    setPath(to)
  }
  useEffect(() => onFoldersChanged(() => void refetch()), [refetch])
  useShownInRows(folder)
  // What the last deletion was recorded as.
  const [changes, setChanges] = useState<readonly string[]>()
  const commands: SizesCommands = {
    onOpen({ name, isDir }) {
      const to = trustedChild(path, name)
      if (isDir) go(to)
      else void navigate(filesUrl(to))
    },
    onShow: ({ name }) => showInFolder(path, name),
    async onDelete(remove) {
      const before = lastOffer()?.id
      try {
        await remove()
      } catch (error) {
        notify('error', errorText(error))
      }
      if (currentPrompt()?.name === 'delete') return promptAfterOthers('sizes', { folder: path })
      const offer = lastOffer()
      setChanges(offer?.id === before ? undefined : offer?.undoes)
      await refetch()
      // The row had the focus; the new totals are announced.
      if (!document.activeElement?.matches('button, a')) summary.current?.focus()
    },
  }
  const undo = (ids: readonly string[]) => {
    setChanges(undefined)
    summary.current?.focus()
    void undoAll(ids)
  }
  return (
    <Dialog
      wide
      title={t('actions.sizes')}
      onClose={closePrompt}
      initialFocus={summary}
      aside={changes && <Button onClick={() => undo(changes)}>{t('undo.undo')}</Button>}
      footer={
        <Button onClick={() => void navigate(filesUrl(path, true)).then(closePrompt)}>{t('actions.open')}</Button>
      }
    >
      <div>
        <Breadcrumb
          label={t('files.location')}
          hiddenLabel={t('files.hidden')}
          root={{ label: t('files.home'), to: { key: ROOT, go: () => go(ROOT) } }}
          crumbs={foldersTo(path).map(to => ({ label: nameOf(to), to: { key: to, go: () => go(to) } }))}
        />
      </div>
      <p ref={summary} className={styles.summary} tabIndex={-1} role="status">
        {data && data.state !== 'none' && summaryOf(data)}
      </p>
      {data && <Sizes sizes={data} folder={path} {...commands} />}
      {!data && error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Spinner label={t('common.loading')} onRetry={() => void refetch()} />}
    </Dialog>
  )
}

/** The changes that the newest notice offers to undo. The dialog covers it. */
const lastOffer = () => openOffers().at(-1)

/** The rows of the folder show the sizes that the dialog has made known. */
function useShownInRows(folder: FilePath): void {
  useEffect(
    () => () => void queryClient.invalidateQueries({ queryKey: sizesQuery(folder, 'folders').queryKey }),
    [folder],
  )
}

function showInFolder(folder: FilePath, name: string): void {
  closePrompt()
  requestFocus(folder, name)
  if (currentFolder() !== folder) void navigate(filesUrl(folder, true))
}

/** The folders on the way to one below the root, with it. */
function foldersTo(path: FilePath): FilePath[] {
  const names = segmentsOf(path)
  return names.map((_, depth) => names.slice(0, depth + 1).reduce(trustedChild, ROOT))
}

function summaryOf({ bytes, disk, files, folders }: SizesAnswer): string {
  const onDisk = `${t('sizes.onDisk')}: ${formatBytes(disk)}`
  return formatFacts([formatBytes(bytes), onDisk, t('files.counts', { folders, files })])
}

interface SizesProps extends SizesCommands {
  sizes: SizesAnswer
  folder: FilePath
}

function Sizes({ sizes, folder, ...commands }: SizesProps) {
  const { state, unread, items, bytes, count } = sizes
  if (state === 'none') return <p className={styles.note}>{t('sizes.none')}</p>
  if (state === 'known' && count === 0 && unread === 0) return <p className={styles.note}>{t('files.empty')}</p>
  return (
    <>
      {state === 'partial' && (
        <p className={styles.note} role="status">
          {t('sizes.partial')}
        </p>
      )}
      {unread > 0 && <p className={styles.note}>{t('files.unread', { count: unread })}</p>}
      {bytes > 0 && <Treemap items={items} total={bytes} onOpen={commands.onOpen} />}
      {items.length > 0 && <SizesTable sizes={sizes} folder={folder} {...commands} />}
    </>
  )
}
