import { type RefObject, useId, useState } from 'react'
import { shownName } from '../../../../../shared/bytes.ts'
import { type FilePath, nameOf, trustedChild } from '../../../../../shared/path.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { notify } from '../../../../lib/notices.ts'
import { queryClient } from '../../../../lib/query.ts'
import { useSession } from '../../../../lib/session.ts'
import { Button } from '../../../../ui/button.tsx'
import { FolderPlus } from '../../../../ui/icons.ts'
import { errorMessageOf } from '../../api/error-messages.ts'
import type { LinkFolders } from '../../api/link-folders.ts'
import { folderQuery } from '../../api/list.ts'
import { type FolderSource, FolderTree } from '../../tree/folder-tree.tsx'
import { wayTo } from '../../tree/tree-nodes.ts'
import styles from './destination.module.css'
import { type MakeFolder, NewFolderField } from './new-folder-field.tsx'
import { PathField } from './path-field.tsx'
import { forgetFolder, recentFolders } from './recent.ts'

/** Folders that are not the user's own: those of a link. Neither paths are typed there, nor destinations remembered. */
export interface OtherFolders {
  source: FolderSource
  mayCreate: boolean
  /** The items of a folder as last loaded. */
  known: LinkFolders['known']
  make: MakeFolder
}

export interface DestinationPickerProps {
  value: FilePath
  onChange: (path: FilePath) => void
  /** Why the typed path is no folder to select; `undefined` once it is one. The dialog must not be confirmed until then. */
  onProblem: (problem: string | undefined) => void
  /** A sentence about the selected folder: why it is not allowed, or what will happen. */
  hint: string
  hintId: string
  /** Enter in the tree. */
  onConfirm: () => void
  /** The selected folder's row in the tree. */
  currentLine: RefObject<HTMLDivElement | null>
  others?: OtherFolders | undefined
}

/** Folder picker: a path, the tree, recent destinations, or a new folder. */
export function DestinationPicker(props: DestinationPickerProps) {
  const { value, onChange, onProblem, hint, hintId, onConfirm, currentLine, others } = props
  const { user } = useSession()
  const [opened, setOpened] = useState<ReadonlySet<FilePath>>(() => new Set(wayTo(value)))
  const [naming, setNaming] = useState(false)
  const [typed, setTyped] = useState<string>()
  const choose = (path: FilePath) => {
    setTyped(undefined)
    onChange(path)
  }
  const show = (path: FilePath) => setOpened(new Set([...opened, ...wayTo(path)]))
  const reveal = (path: FilePath) => {
    show(path)
    choose(path)
  }
  return (
    <>
      {!others && (
        <>
          <PathField
            value={value}
            typed={typed}
            onTyped={setTyped}
            onFound={path => {
              show(path)
              onChange(path)
            }}
            onProblem={onProblem}
            currentLine={currentLine}
            hintId={hintId}
          />
          <Recent onChoose={reveal} />
        </>
      )}
      <FolderTree
        className={styles.tree}
        currentLine={currentLine}
        label={t('picker.folders')}
        value={value}
        onChange={choose}
        opened={opened}
        onOpened={setOpened}
        onConfirm={onConfirm}
        {...(others && { source: others.source })}
      />
      {naming ? (
        <NewFolderField
          folder={value}
          {...(others && { taken: namesOf(others.known(value)), make: others.make })}
          onCancel={() => setNaming(false)}
          onMade={name => {
            setNaming(false)
            reveal(trustedChild(value, name))
            currentLine.current?.focus()
          }}
        />
      ) : (
        <div className={styles.under}>
          <p id={hintId} className={styles.hint} aria-live="polite">
            {hint}
          </p>
          {(others ? others.mayCreate : user?.perm.create) && (
            <Button kind="quiet" icon={<FolderPlus size={18} aria-hidden />} onClick={() => setNaming(true)}>
              {t('actions.newFolder')}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

const namesOf = (items: readonly { name: string }[] = []) => new Set(items.map(({ name }) => name))

/** The last destinations, as far as they still exist. */
function Recent({ onChoose }: { onChoose: (path: FilePath) => void }) {
  const label = useId()
  const [folders, setFolders] = useState(recentFolders)
  const choose = async (path: FilePath) => {
    try {
      await queryClient.fetchQuery(folderQuery(path))
      onChoose(path)
    } catch (error) {
      forgetFolder(path)
      setFolders(folders.filter(other => other !== path))
      notify('error', errorMessageOf(error))
    }
  }
  if (folders.length === 0) return null
  return (
    <div className={styles.recent}>
      <span id={label} className={styles.recentLabel}>
        {t('picker.recent')}
      </span>
      <ul className={styles.chips} aria-labelledby={label}>
        {folders.map(folder => (
          <li key={folder}>
            <button type="button" className={styles.chip} title={shownName(folder)} onClick={() => void choose(folder)}>
              <bdi>{shownName(nameOf(folder)) || t('files.home')}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
