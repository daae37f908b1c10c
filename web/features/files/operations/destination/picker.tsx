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
import { folderQuery } from '../../api/list.ts'
import { FolderTree } from '../../tree/folder-tree.tsx'
import { wayTo } from '../../tree/tree-nodes.ts'
import styles from './destination.module.css'
import { NewFolderField } from './new-folder-field.tsx'
import { PathField } from './path-field.tsx'
import { forgetFolder, recentFolders } from './recent.ts'

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
}

/** Folder picker: a path, the tree, recent destinations, or a new folder. */
export function DestinationPicker(props: DestinationPickerProps) {
  const { value, onChange, onProblem, hint, hintId, onConfirm, currentLine } = props
  const { user } = useSession()
  const [opened, setOpened] = useState<ReadonlySet<FilePath>>(() => new Set(wayTo(value)))
  const [recent, setRecent] = useState(recentFolders)
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
  const revealRecent = async (path: FilePath) => {
    try {
      await queryClient.fetchQuery(folderQuery(path))
      reveal(path)
    } catch (error) {
      forgetFolder(path)
      setRecent(recent.filter(other => other !== path))
      notify('error', errorMessageOf(error))
    }
  }
  return (
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
      {recent.length > 0 && <Recent folders={recent} onChoose={path => void revealRecent(path)} />}
      <FolderTree
        className={styles.tree}
        currentLine={currentLine}
        label={t('picker.folders')}
        value={value}
        onChange={choose}
        opened={opened}
        onOpened={setOpened}
        onConfirm={onConfirm}
      />
      {naming ? (
        <NewFolderField
          folder={value}
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
          {user?.perm.create && (
            <Button kind="quiet" icon={<FolderPlus size={18} aria-hidden />} onClick={() => setNaming(true)}>
              {t('actions.newFolder')}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

function Recent({ folders, onChoose }: { folders: readonly FilePath[]; onChoose: (path: FilePath) => void }) {
  const label = useId()
  return (
    <div className={styles.recent}>
      <span id={label} className={styles.recentLabel}>
        {t('picker.recent')}
      </span>
      <ul className={styles.chips} aria-labelledby={label}>
        {folders.map(folder => (
          <li key={folder}>
            <button type="button" className={styles.chip} title={shownName(folder)} onClick={() => onChoose(folder)}>
              <bdi>{shownName(nameOf(folder)) || t('files.home')}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
