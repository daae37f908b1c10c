import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { type FilePath, nameOf } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { currentPrompt } from '../../../lib/prompts.ts'
import { FolderUp, Upload } from '../../../ui/icons.ts'
import { SplitButton } from '../../../ui/split-button.tsx'
import type { LinkFolders } from '../../files/api/link-folders.ts'
import { type DropTarget, dropTargetAt, isListing, markDropTarget } from '../../files/listing/drag/drop-target.ts'
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
  const send = (chosen: Promise<Chosen>, to = folder) => void upload(uploads, folders, to, chosen)
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
      <DropZone {...{ folder, name }} onChosen={(chosen, to) => begin(() => send(chosen, to))} />
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

interface DropZoneProps extends Pick<VisitorUploadButtonProps, 'folder' | 'name'> {
  onChosen: (chosen: Promise<Chosen>, to: FilePath) => void
}

/** Takes desktop files dropped anywhere on the page, into the folder under the pointer. */
function DropZone({ folder, name, onChosen }: DropZoneProps) {
  const over = useDrops(folder, onChosen)
  if (over === undefined) return null
  return createPortal(
    <div className={styles.zone}>
      <p className={styles.hint}>
        <Upload size={24} aria-hidden />
        {t('uploads.dropHere', { name: over === folder ? name : nameOf(over) || name })}
      </p>
    </div>,
    document.body,
  )
}

/** @returns the folder that takes the files which are dragged over the page; `undefined` without any */
function useDrops(folder: FilePath, onChosen: DropZoneProps['onChosen']): FilePath | undefined {
  const [over, setOver] = useState<FilePath>()
  useEffect(() => {
    const stop = new AbortController()
    const on = (type: 'dragover' | 'dragleave' | 'drop', act: (event: DragEvent) => void) =>
      addEventListener(type, event => carriesFiles(event.dataTransfer) && act(event), { signal: stop.signal })
    const show = (target: DropTarget | undefined, to?: FilePath) => {
      markDropTarget(target && !isListing(target.element) ? target.element : undefined)
      setOver(to)
    }
    on('dragover', event => {
      event.preventDefault()
      const target = currentPrompt() === null ? dropTargetAt(event.target) : undefined
      show(target, currentPrompt() === null ? (target?.folder ?? folder) : undefined)
    })
    on('dragleave', event => {
      if (event.relatedTarget === null) show(undefined)
    })
    on('drop', event => {
      event.preventDefault()
      const to = dropTargetAt(event.target)?.folder ?? folder
      show(undefined)
      if (!event.dataTransfer || currentPrompt() !== null) return
      const dropped = takeDrop(event.dataTransfer)
      onChosen(
        loadWalk().then(({ walkDrop }) => walkDrop(dropped)),
        to,
      )
    })
    return () => stop.abort()
  })
  return over
}
