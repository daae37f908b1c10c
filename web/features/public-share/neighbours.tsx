import { useEffect } from 'react'
import type { FolderResource, ResourceItem } from '../../../shared/api/resources.ts'
import { parentOf, parsePath } from '../../../shared/path.ts'
import { DEFAULT_SORTING } from '../../../shared/sorting.ts'
import { apiUrl } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { useShortcuts, usesArrows } from '../../lib/keyboard.ts'
import { useQuery } from '../../lib/query.ts'
import { navigate } from '../../lib/router.tsx'
import { IconButton } from '../../ui/button.tsx'
import { ArrowLeft, ArrowRight } from '../../ui/icons.ts'
import { useSortedRows } from '../files/listing/sort/use-sorted.ts'
import { publicPreview } from './api/addresses.ts'
import { sharedQuery } from './api/share.ts'
import { type Link, linkAddress } from './link.ts'
import styles from './public-share.module.css'

/** The files that Next and Previous visit. */
const IN_TURN: readonly ResourceItem['type'][] = ['image', 'video', 'audio', 'blob']

interface NeighboursProps {
  link: Link
  /** Path of the current file, below the share. */
  path: string
}

/** Links to the previous and next file in the shared folder. */
export function Neighbours({ link, path }: NeighboursProps) {
  const { data } = useQuery(sharedQuery(link.hash, parentOf(parsePath(path))))
  return data && 'items' in data ? <NeighbourLinks link={link} path={path} folder={data} /> : null
}

function NeighbourLinks({ link, path, folder }: NeighboursProps & { folder: FolderResource }) {
  const { rows } = useSortedRows(folder, DEFAULT_SORTING)
  const items = rows.filter(({ type, isDir }) => !isDir && IN_TURN.includes(type))
  const index = items.findIndex(item => item.path === path)
  const [previous, next] = index < 0 ? [] : [items[index - 1], items[index + 1]]
  usePrefetch(link, next)
  const go = (item: ResourceItem | undefined) =>
    void (item && navigate(linkAddress(link, parsePath(item.path)), { replace: true }))
  const mayGo = ({ target }: KeyboardEvent) => !usesArrows(target)
  useShortcuts('listing', [
    { keys: 'ArrowRight', run: event => mayGo(event) && go(next) },
    { keys: 'ArrowLeft', run: event => mayGo(event) && go(previous) },
  ])
  return (
    <div className={styles.ways}>
      <IconButton label={t('actions.previewPrevious')} disabled={!previous} onClick={() => go(previous)}>
        <ArrowLeft size={18} aria-hidden />
      </IconButton>
      <IconButton label={t('actions.previewNext')} disabled={!next} onClick={() => go(next)}>
        <ArrowRight size={18} aria-hidden />
      </IconButton>
    </div>
  )
}

/** Preloads the next image. */
function usePrefetch({ hash, ticket }: Link, item: ResourceItem | undefined): void {
  useEffect(() => {
    if (item?.type === 'image') new Image().src = apiUrl(publicPreview('big', { hash, ticket }, item))
  }, [hash, ticket, item])
}
