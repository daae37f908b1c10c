import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { FilePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { currentPrompt } from '../../../lib/prompts.ts'
import { FolderUp, Upload } from '../../../ui/icons.ts'
import { SplitButton } from '../../../ui/split-button.tsx'
import type { LinkFolders } from '../../files/api/link-folders.ts'
import { carriesFiles, takeDrop } from '../drop.ts'
import styles from '../host.module.css'
import { chooseItems, loadWalk } from '../launch.ts'
import type { Chosen } from '../walk.ts'
import { uploadInto, uploadsOf, type VisitorUploads } from './uploads.ts'

export interface VisitorUploadButtonProps {
  hash: string
  folders: LinkFolders
  /** The folder on the page, below the link, and its name. */
  folder: FilePath
  name: string
  /** Runs what changes something, after the question for a name where the link asks it. */
  begin: (act: () => void) => void
}

/** Chooses files or a folder to upload, and takes what is dropped on the page. */
export default function VisitorUploadButton({ hash, folders, folder, name, begin }: VisitorUploadButtonProps) {
  const uploads = uploadsOf(hash, folders)
  const send = (chosen: Promise<Chosen>) => void upload(uploads, folders, folder, chosen)
  return (
    <>
      <SplitButton
        kind="primary"
        icon={<Upload size={18} aria-hidden />}
        onClick={() => begin(() => send(chooseItems('files')))}
        menuLabel={t('views.more')}
        entries={[
          {
            id: 'folder',
            label: t('actions.uploadFolder'),
            icon: <FolderUp size={18} aria-hidden />,
            run: () => begin(() => send(chooseItems('folder'))),
          },
        ]}
      >
        {t('actions.upload')}
      </SplitButton>
      <DropZone name={name} onChosen={chosen => begin(() => send(chosen))} />
    </>
  )
}

async function upload(
  uploads: VisitorUploads,
  folders: LinkFolders,
  folder: FilePath,
  chosen: Promise<Chosen>,
): Promise<void> {
  try {
    const { items, unreadable } = await chosen
    if (items.length + unreadable.length > 0) await uploadInto(uploads, folders, folder, { items, unreadable })
  } catch {
    notify('error', t('errors.chunk'))
  }
}

/** Takes desktop files dropped anywhere on the page. */
function DropZone({ name, onChosen }: { name: string; onChosen: (chosen: Promise<Chosen>) => void }) {
  const over = useDrops(onChosen)
  if (!over) return null
  return createPortal(
    <div className={styles.zone}>
      <p className={styles.hint}>
        <Upload size={24} aria-hidden />
        {t('uploads.dropHere', { name })}
      </p>
    </div>,
    document.body,
  )
}

/** @returns whether files are dragged over the page */
function useDrops(onChosen: (chosen: Promise<Chosen>) => void): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    const stop = new AbortController()
    const on = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      addEventListener(type, event => carriesFiles(event.dataTransfer) && act(event), { signal: stop.signal })
    on('dragover', event => {
      event.preventDefault()
      setOver(currentPrompt() === null)
    })
    on('dragleave', event => {
      if (event.relatedTarget === null) setOver(false)
    })
    on('drop', event => {
      event.preventDefault()
      setOver(false)
      if (!event.dataTransfer || currentPrompt() !== null) return
      const dropped = takeDrop(event.dataTransfer)
      onChosen(loadWalk().then(({ walkDrop }) => walkDrop(dropped)))
    })
    return () => stop.abort()
  })
  return over
}
