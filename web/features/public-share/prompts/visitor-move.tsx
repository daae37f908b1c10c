import { useId, useRef, useState } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { type FilePath, isWithin, nameOf, parentOf, parsePath, trustedChild } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FolderPlus } from '../../../ui/icons.ts'
import type { LinkFolders } from '../../files/api/link-folders.ts'
import { commonFolder } from '../../files/items/common-folder.ts'
import { intoText } from '../../files/items/into-text.ts'
import styles from '../../files/operations/destination/destination.module.css'
import { NewFolderField } from '../../files/operations/destination/new-folder-field.tsx'
import { FolderTree } from '../../files/tree/folder-tree.tsx'
import { wayTo } from '../../files/tree/tree-nodes.ts'
import { createSharedFolder } from '../api/edit.ts'
import { moveItems, refusalText } from '../edit/change.ts'
import type { Link } from '../link.ts'

interface VisitorMoveProps {
  link: Link
  folders: LinkFolders
  /** The name of the shared folder. */
  name: string
  items: readonly ResourceItem[]
  /** Whether the link lets visitors make folders. */
  mayCreate: boolean
}

/** Prompts a visitor for a folder of the link. Enter confirms, also from the tree. */
export default function VisitorMovePrompt({ link, folders, name, items, mayCreate }: VisitorMoveProps) {
  const currentLine = useRef<HTMLDivElement>(null)
  const hint = useId()
  const [destination, setDestination] = useState<FilePath>(() => commonFolder(items))
  const [opened, setOpened] = useState<ReadonlySet<FilePath>>(() => new Set(wayTo(destination)))
  const [naming, setNaming] = useState(false)
  const problem = problemWith(items, destination)
  const submit = () => {
    if (problem) return
    closePrompt()
    void moveItems(link, folders, { items, to: destination, name })
  }
  const [first] = items
  return (
    <Dialog
      title={
        items.length === 1 && first
          ? t('picker.moveOne', { name: first.name })
          : t('picker.moveMany', { count: items.length })
      }
      onClose={closePrompt}
      initialFocus={currentLine}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button
            kind="primary"
            aria-disabled={problem !== undefined || undefined}
            aria-describedby={hint}
            onClick={submit}
          >
            {t('picker.move')}
          </Button>
        </>
      }
    >
      <FolderTree
        className={styles.tree}
        currentLine={currentLine}
        label={t('picker.folders')}
        value={destination}
        onChange={setDestination}
        opened={opened}
        onOpened={setOpened}
        onConfirm={submit}
        source={{ top: name, key: ['public', link.hash, 'tree'], list: folders.list }}
      />
      {naming ? (
        <NewFolderField
          folder={destination}
          onCancel={() => setNaming(false)}
          onMade={made => {
            const path = trustedChild(destination, made)
            setNaming(false)
            setOpened(new Set([...opened, ...wayTo(path)]))
            setDestination(path)
            currentLine.current?.focus()
          }}
          taken={new Set(folders.known(destination)?.map(({ name }) => name))}
          make={path => makeFolder(link, folders, path)}
        />
      ) : (
        <div className={styles.under}>
          <p id={hint} className={styles.hint} aria-live="polite">
            {problem ?? intoText(destination, name)}
          </p>
          {mayCreate && (
            <Button kind="quiet" icon={<FolderPlus size={18} aria-hidden />} onClick={() => setNaming(true)}>
              {t('actions.newFolder')}
            </Button>
          )}
        </div>
      )}
    </Dialog>
  )
}

/** @returns why the folder was not made. The call takes an existing folder for a new one, so the names are read first. */
async function makeFolder(link: Link, folders: LinkFolders, path: FilePath): Promise<string | undefined> {
  const name = nameOf(path)
  try {
    const items = await folders.list(parentOf(path))
    if (items.some(item => item.name === name)) return t('files.nameTaken', { name })
    await createSharedFolder(link, path)
    await folders.reload()
  } catch (error) {
    return refusalText(error, name)
  }
}

/** Why these items can't go there; `undefined` when they can. */
function problemWith(items: readonly ResourceItem[], to: FilePath): string | undefined {
  if (items.some(({ isDir, path }) => isDir && isWithin(to, parsePath(path)))) return t('files.reasonIntoItself')
  const isHere = items.every(({ path }) => parentOf(parsePath(path)) === to)
  return isHere ? t('transfer.alreadyHere', { count: items.length }) : undefined
}
