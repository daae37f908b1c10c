import { useRef, useState } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { nameOf, parsePath } from '../../../../../shared/path.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { closePrompt } from '../../../../lib/prompts.ts'
import { Dialog } from '../../../../ui/dialog.tsx'
import { ARCHIVE_FORMATS, type ArchiveFormat, archiveUrl } from '../../api/archive.ts'
import { downloadFiles, saveFrom } from '../../api/download.ts'
import { knownFolder } from '../../api/list.ts'
import { pathsFrom } from '../../items/common-folder.ts'
import { lastFormat, rememberFormat } from '../archive-choice.ts'
import styles from './download.module.css'

interface DownloadPromptProps {
  folder: string
  /** Without items the folder itself. */
  items: readonly ResourceItem[]
}

/** Most files downloaded one after another; browsers prompt for each of them. */
const MAX_SINGLE = 20

/**
 * Prompts for the archive format. The format used last has the focus, so that Enter repeats it. Without a selection it
 * downloads the whole folder.
 */
export default function DownloadPrompt({ folder, items }: DownloadPromptProps) {
  const usual = useRef<HTMLButtonElement>(null)
  const [last] = useState(lastFormat)
  const [tooMany, setTooMany] = useState(false)
  const paths = pathsFrom(folder, items)
  const whole = knownFolder(folder)?.items.length === items.length && paths.every(isName)
  const names = whole ? [] : paths
  const take = (format: ArchiveFormat) => {
    const url = archiveUrl(folder, names, format)
    if (url === undefined) return setTooMany(true)
    rememberFormat(format)
    saveFrom(url, '')
    closePrompt()
  }
  const single = items.length > 1 && items.length <= MAX_SINGLE && items.every(item => !item.isDir)
  const takeSingle = () => {
    closePrompt()
    void downloadFiles(items)
  }
  return (
    <Dialog title={titleOf(folder, items)} description={t('download.text')} onClose={closePrompt} initialFocus={usual}>
      {tooMany && (
        <p className={styles.problem} role="alert">
          {t('download.tooMany')}
        </p>
      )}
      <div className={styles.formats}>
        {ARCHIVE_FORMATS.map(format => (
          <button
            key={format.name}
            ref={format === last ? usual : undefined}
            type="button"
            className={styles.format}
            data-usual={format === last || undefined}
            onClick={() => take(format)}
          >
            {format.name}
          </button>
        ))}
      </div>
      {single && (
        <button type="button" className={styles.single} onClick={takeSingle}>
          {t('download.single', { count: items.length })}
        </button>
      )}
    </Dialog>
  )
}

/** Whether the item is a direct child of the folder. */
const isName = (path: string) => !path.includes('/')

function titleOf(folder: string, items: readonly ResourceItem[]): string {
  const [first] = items
  if (items.length > 1) return t('download.many', { count: items.length })
  return t('download.one', { name: first?.name ?? (nameOf(parsePath(folder)) || t('files.home')) })
}
