import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { extensionOf, type FilePath, ROOT } from '../../../../../shared/path.ts'
import { previewedAs } from '../../../../../shared/previewed.ts'
import { formatBytes, formatDate } from '../../../../lib/i18n/format.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { useSession } from '../../../../lib/session.ts'
import { Glyph, kindOf } from '../../../../ui/glyph.tsx'
import { isStub, stubItem } from '../../items/stub-item.ts'
import { hasThumb, Thumb, ThumbAddress } from '../../items/thumb.tsx'
import type { Version } from './conflict.ts'
import styles from './version.module.css'

/** Largest image to upload that is shown, in bytes: the browser decodes it in full to scale it down. */
const MAX_OWN = 32 * 1024 * 1024
/** Image types that every browser displays. */
const SHOWN = /^image\/(avif|gif|jpeg|png|webp)$/

/** Types other than images that the server makes thumbnails of. */
const TYPES: Partial<Record<string, ResourceItem['type']>> = { '': 'blob', cover: 'audio', video: 'video', pdf: 'pdf' }

/** One side of a conflict: thumbnail, size and modification time. */
export function VersionDetails({ label, version }: { label: string; version: Version | undefined }) {
  return (
    <div className={styles.version}>
      {version && <VersionPicture version={version} />}
      <p className={styles.text}>
        <span className={styles.label}>{label}</span>
        <VersionText version={version} />
      </p>
    </div>
  )
}

function VersionText({ version }: { version: Version | undefined }) {
  if (!version || isStub(version)) return <span>–</span>
  return (
    <>
      <span>{version.isDir ? t('conflicts.folder') : formatBytes(version.size)}</span>
      <span>{formatDate(version.modified)}</span>
    </>
  )
}

function VersionPicture({ version: { source, isDir, modified } }: { version: Version }) {
  const { user } = useSession()
  if (source === undefined || isDir || isStub({ modified })) return null
  const item = itemOf(source, modified)
  if (!hasThumb(item)) return null
  if (typeof source !== 'string') return <InSight>{() => <OwnPicture file={source} item={item} />}</InSight>
  return <InSight>{() => <Thumb item={item} allowed={user?.perm.download ?? false} />}</InSight>
}

/** The thumbnail, fetched once it is in view: there may be hundreds. */
function InSight({ children }: { children: () => ReactNode }) {
  const [seen, ref] = useInView()
  return (
    <span className={styles.picture} ref={ref}>
      {seen && children()}
    </span>
  )
}

/** A file to upload. */
function OwnPicture({ file, item }: { file: File; item: ResourceItem }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!SHOWN.test(file.type) || file.size > MAX_OWN) return
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  if (url === undefined) return <Glyph kind={kindOf(item)} />
  return (
    <ThumbAddress value={() => url}>
      <Thumb item={item} allowed />
    </ThumbAddress>
  )
}

function itemOf(source: FilePath | File, modified: Version['modified']): ResourceItem {
  const bare = stubItem(typeof source === 'string' ? source : ROOT, false)
  const own = typeof source === 'string' ? {} : { name: source.name, extension: extensionOf(source.name) }
  const { name } = { ...bare, ...own }
  return {
    ...bare,
    ...own,
    type: TYPES[previewedAs(name) ?? ''] ?? 'image',
    modified: new Date(modified).toISOString(),
  }
}

/** Margin around the viewport that counts as in view, so that content is loaded ahead of scrolling. */
const NEAR = '200px'

/** Whether an element has been in view, and the `ref` for it. */
function useInView(): readonly [seen: boolean, ref: (element: Element | null) => (() => void) | undefined] {
  const [seen, setSeen] = useState(false)
  const ref = useCallback((element: Element | null) => {
    if (!element) return
    const onIntersect = (entries: readonly IntersectionObserverEntry[]) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    }
    const observer = new IntersectionObserver(onIntersect, { rootMargin: NEAR })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [seen, ref]
}
