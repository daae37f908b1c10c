import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { StarredItem } from '../../../shared/api/marks.ts'
import { shownName } from '../../../shared/bytes.ts'
import { type FilePath, parentOf } from '../../../shared/path.ts'
import { onFoldersChanged } from '../../features/files/api/list.ts'
import { usePathMenu } from '../../features/files/listing/use-path-menu.tsx'
import { FolderTree } from '../../features/files/tree/folder-tree.tsx'
import { wayTo } from '../../features/files/tree/tree-nodes.ts'
import { starsQuery } from '../../features/marks/api/marks.ts'
import { savedQuery } from '../../features/search/api/saved.ts'
import { t, useLocale } from '../../lib/i18n/index.ts'
import { queryClient, useQuery } from '../../lib/query.ts'
import { filesUrl, Link, useCurrentFolder } from '../../lib/router.tsx'
import { createStore, useStore } from '../../lib/store.ts'
import { Glyph } from '../../ui/glyph.tsx'
import { Splitter } from '../../ui/splitter.tsx'
import styles from './folders.module.css'
import { SavedSearches } from './saved-searches.tsx'
import sidebar from './sidebar.module.css'
import { sidebarWidth } from './sidebar-width.ts'

const HIGHEST_WIDTH = 400

/** The folders of the sidebar: the starred ones, and the tree. */
export default function Folders({ resizable }: { resizable: boolean }) {
  const current = useCurrentFolder()
  const menu = usePathMenu()
  const isLater = useIsLater()
  const { data, isPending } = useQuery({ ...starsQuery, enabled: isLater })
  const searches = useQuery({ ...savedQuery, enabled: isLater })
  const saved = searches.data?.items ?? []
  useEffect(() => onFoldersChanged(() => void queryClient.invalidateQueries({ queryKey: starsQuery.queryKey })), [])
  const starred = data?.items.filter(({ isDir, trash }) => isDir && trash === undefined) ?? []
  // All at once: what comes later would move what is below it.
  const isKnown = !isPending && !searches.isPending
  return (
    <div role="presentation" onContextMenu={menu.open}>
      {isKnown && starred.length > 0 && <Favourites folders={starred} />}
      {isKnown && saved.length > 0 && <SavedSearches searches={saved} />}
      {isKnown && <Tree current={current} />}
      {resizable && <Separator />}
      {menu.element}
    </div>
  )
}

/** Milliseconds before the folders are requested: the visible page comes first. */
const DELAY = 400

/** Whether that time is over. */
function useIsLater(): boolean {
  const [isLater, setIsLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLater(true), DELAY)
    return () => clearTimeout(timer)
  }, [])
  return isLater
}

/** The starred folders in the user's order, also a target that stars what is dropped on it. */
function Favourites({ folders }: { folders: readonly StarredItem[] }) {
  return (
    <>
      <p className={styles.heading}>{t('nav.starred')}</p>
      <ul className={sidebar.list} aria-label={t('nav.starred')} data-stars="">
        {folders.map(({ id, path, name }) => (
          <li key={id}>
            <Link
              to={filesUrl(path, true)}
              className={`${sidebar.entry} ${styles.favourite}`}
              data-drop={path}
              draggable={false}
            >
              <Glyph kind="folder" />
              <bdi className={sidebar.label}>{shownName(name)}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Expanded folders, as long as the page. */
const openedStore = createStore<ReadonlySet<FilePath>>(new Set())

/** The folders below the start folder. The current one is always revealed. */
function Tree({ current }: { current: FilePath }) {
  const opened = useStore(openedStore)
  const [value, setValue] = useState(current)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    openedStore.set(new Set([...openedStore.get(), ...wayTo(parentOf(current))]))
    setValue(current)
  }, [current])
  return (
    <div ref={box}>
      <p className={styles.heading}>{t('nav.folders')}</p>
      <FolderTree
        label={t('nav.folders')}
        value={value}
        onChange={setValue}
        opened={opened}
        onOpened={openedStore.set}
        current={current}
        scroller={() => box.current?.closest<HTMLElement>(`.${sidebar.middle}`) ?? null}
      />
    </div>
  )
}

function Separator() {
  const isRtl = useLocale().dir === 'rtl'
  return (
    <Splitter
      label={t('nav.toggleSidebar')}
      className={styles.separator}
      orientation="vertical"
      size={sidebarWidth}
      highest={() => HIGHEST_WIDTH}
      grow={isRtl ? 'ArrowLeft' : 'ArrowRight'}
      shrink={isRtl ? 'ArrowRight' : 'ArrowLeft'}
      sizeAt={({ clientX }) => (isRtl ? innerWidth - clientX : clientX)}
    />
  )
}
