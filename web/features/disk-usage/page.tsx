import { useEffect, useRef } from 'react'
import type { SizesAnswer } from '../../../shared/api/sizes.ts'
import { type FilePath, nameOf, pathsDownTo, ROOT } from '../../../shared/path.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatBytes, formatFacts } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { queryClient } from '../../lib/query.ts'
import { filesUrl, Link, navigate, usageUrl } from '../../lib/router.tsx'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import buttons from '../../ui/button.module.css'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { onFoldersChanged } from '../files/api/list.ts'
import { requestFocus } from '../files/items/focus-request.ts'
import { useSizes } from './query.ts'
import styles from './sizes.module.css'
import { addressOf, type SizesCommands, SizesTable } from './table.tsx'
import { Treemap } from './treemap.tsx'

/** Polling interval in milliseconds while sizes are still being computed. */
const POLL_INTERVAL = 1000

/** `/usage/*`: the disk usage of a folder and its subfolders. */
export default function UsagePage({ path }: { path: FilePath }) {
  const { data, error, refetch } = useSizes(path, 'all', POLL_INTERVAL)
  const summary = useRef<HTMLParagraphElement>(null)
  useEffect(() => onFoldersChanged(() => void refetch()), [refetch])
  useFocusOnArrival(path, summary)
  useShownInRows()
  const commands: SizesCommands = {
    onShow({ name }) {
      requestFocus(path, name)
      void navigate(filesUrl(path, true))
    },
    async onDelete(remove) {
      await Promise.resolve(remove()).catch((thrown: unknown) => notify('error', errorText(thrown)))
      await refetch()
      // The row had the focus; the new totals are announced.
      if (!document.activeElement?.matches('button, a')) summary.current?.focus()
    },
  }
  return (
    <PageFrame
      title={t('actions.sizes')}
      className={styles.page}
      summary={
        <p ref={summary} className={styles.summary} tabIndex={-1} role="status">
          {data && data.state !== 'none' && summaryOf(data)}
        </p>
      }
      tools={
        <Link to={filesUrl(path, true)} className={`${buttons.button} ${buttons.plain}`}>
          {t('actions.open')}
        </Link>
      }
    >
      <div className={styles.content}>
        <Breadcrumb
          label={t('files.location')}
          hiddenLabel={t('files.hidden')}
          root={{ label: t('files.home'), to: usageUrl(ROOT) }}
          crumbs={foldersTo(path).map(to => ({ label: nameOf(to), to: usageUrl(to) }))}
        />
        {data && <Sizes sizes={data} folder={path} {...commands} />}
        {!data && error && <LoadFailure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Spinner label={t('common.loading')} onRetry={() => void refetch()} />}
      </div>
    </PageFrame>
  )
}

/** The tile or link that led to another folder is gone; the totals there are announced instead. */
function useFocusOnArrival(path: FilePath, summary: { current: HTMLElement | null }): void {
  const last = useRef(path)
  useEffect(() => {
    if (last.current !== path) summary.current?.focus()
    last.current = path
  }, [path, summary])
}

/** The rows of folders show the sizes that the page has made known. */
function useShownInRows(): void {
  useEffect(() => () => void queryClient.invalidateQueries({ queryKey: ['sizes'] }), [])
}

/** The folders on the way to one below the root, with it. */
const foldersTo = (path: FilePath): FilePath[] => pathsDownTo(path).filter(folder => folder !== ROOT)

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
      {bytes > 0 && <Treemap items={items} total={bytes} onOpen={item => void navigate(addressOf(folder, item))} />}
      {items.length > 0 && <SizesTable sizes={sizes} folder={folder} {...commands} />}
    </>
  )
}
