import { useRef } from 'react'
import { nameOf, parsePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FolderUp, Upload } from '../../../ui/icons.ts'
import { chooseAndLaunch } from '../launch.ts'
import styles from './upload.module.css'

interface UploadPromptProps {
  folder: string
}

/** Prompts for files or a folder, and opens the browser's chooser. */
export default function UploadPrompt({ folder }: UploadPromptProps) {
  const first = useRef<HTMLButtonElement>(null)
  const path = parsePath(folder)
  const choose = (what: 'files' | 'folder') => {
    // The chooser first: it needs the click that is being handled.
    void chooseAndLaunch(path, what)
    closePrompt()
  }
  return (
    <Dialog
      title={t('uploads.title', { name: nameOf(path) || t('files.home') })}
      onClose={closePrompt}
      initialFocus={first}
    >
      <div className={styles.choices}>
        <button ref={first} type="button" className={styles.choice} onClick={() => choose('files')}>
          <Upload size={24} aria-hidden />
          <span className={styles.name}>{t('uploads.chooseFiles')}</span>
          <span className={styles.hint}>{t('uploads.chooseFilesHint')}</span>
        </button>
        <button type="button" className={styles.choice} onClick={() => choose('folder')}>
          <FolderUp size={24} aria-hidden />
          <span className={styles.name}>{t('uploads.chooseFolder')}</span>
          <span className={styles.hint}>{t('uploads.chooseFolderHint')}</span>
        </button>
      </div>
    </Dialog>
  )
}
