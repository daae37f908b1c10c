import type { ComponentType, ReactNode } from 'react'
import type { Change, ChangeKind } from '../../../../shared/api/changes.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { nameOf, parsePath } from '../../../../shared/path.ts'
import { formatDate, formatList, formatSome, formatTime } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { filesUrl, Link } from '../../../lib/router.tsx'
import {
  ChevronRight,
  FileArchive,
  FilePlus2,
  Files,
  FolderInput,
  History,
  Link2,
  PackageOpen,
  Pencil,
  Rewind,
  RotateCcw,
  Save,
  Trash2,
  Undo2,
  Upload,
} from '../../../ui/icons.ts'
import styles from './changes.module.css'
import { byText, changeText, stateText } from './texts.ts'

const ICONS: Readonly<Record<ChangeKind, ComponentType<{ size?: number; 'aria-hidden'?: boolean }>>> = {
  delete: Trash2,
  purge: Trash2,
  move: FolderInput,
  rename: Pencil,
  copy: Files,
  create: FilePlus2,
  upload: Upload,
  save: Save,
  archive: FileArchive,
  extract: PackageOpen,
  restore: RotateCcw,
  revert: History,
  rewind: Rewind,
  expire: Trash2,
  link: Link2,
  relink: Link2,
  unlink: Link2,
  undo: Undo2,
}

export interface ChangeLineProps {
  change: Change
  /** Buttons at the end. */
  actions?: ReactNode
  /** Whether `children` are shown; with `onToggle` the title is a button. */
  isOpen?: boolean
  onToggle?: () => void
  /** Details below the line. */
  children?: ReactNode
}

/** One change in a list: what happened, who did it, with which items, where and when. */
export function ChangeLine({ change, actions, isOpen = false, onToggle, children }: ChangeLineProps) {
  const Icon = ICONS[change.kind]
  const state = stateText(change)
  const [title, by] = [changeText(change), byText(change)]
  return (
    <li className={styles.line} data-state={change.state}>
      <span className={styles.icon}>
        <Icon size={18} aria-hidden />
      </span>
      <div className={styles.what}>
        <p className={styles.title}>
          {onToggle ? (
            <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={onToggle}>
              {title}
              <ChevronRight size={16} className={styles.chevron} aria-hidden />
            </button>
          ) : (
            title
          )}
          {state !== '' && <span className={styles.state}>{state}</span>}
        </p>
        <p className={styles.facts}>
          {by !== '' && <bdi>{by}</bdi>}
          {!title.includes(shownName(change.first[0] ?? '')) && <Names change={change} />}
          <Folder path={change.folder} />
        </p>
      </div>
      <time className={styles.time} dateTime={change.time} title={formatDate(change.time)}>
        {formatTime(change.time)}
      </time>
      <span className={styles.actions}>{actions}</span>
      {isOpen && <div className={styles.details}>{children}</div>}
    </li>
  )
}

function Folder({ path }: { path: string }) {
  const name = nameOf(parsePath(path)) || t('files.home')
  return (
    <Link to={filesUrl(path, true)} className={styles.folder}>
      {t('trash.here', { name })}
    </Link>
  )
}

/** The first names, and how many more there are. */
function Names({ change: { first, count } }: { change: Change }) {
  const names = first.map(name => shownName(name))
  const more = count - names.length
  return (
    <>
      <span className={styles.names}>
        <bdi>{more > 0 ? formatSome(names) : formatList(names)}</bdi>
      </span>
      {more > 0 && <span>{t('files.deleteMore', { count: more })}</span>}
    </>
  )
}
