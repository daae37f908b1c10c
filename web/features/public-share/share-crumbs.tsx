import { type FilePath, parsePath, ROOT, segmentsOf } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import { type Link, linkAddress } from './link.ts'

export interface ShareCrumbsProps {
  link: Link
  /** Name of the shared item; `''` until it has loaded. */
  name: string
  /** Below the share. */
  path: string
}

/** The breadcrumb within a share. */
export function ShareCrumbs({ link, name, path }: ShareCrumbsProps) {
  const names = segmentsOf(parsePath(path))
  const crumbs = names.map((label, depth) => ({
    label,
    ...placeOf(link, parsePath(names.slice(0, depth + 1).join('/'))),
  }))
  return (
    <Breadcrumb
      label={t('files.location')}
      hiddenLabel={t('files.hidden')}
      root={{ label: name || t('publicShare.title'), ...placeOf(link, ROOT) }}
      crumbs={crumbs}
    />
  )
}

const placeOf = (link: Link, folder: FilePath) => ({ to: linkAddress(link, folder), drop: folder })
