import { parsePath, segmentsOf } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { Breadcrumb } from '../../ui/breadcrumb.tsx'
import { type Link, linkAddress } from './link.ts'

export interface ShareCrumbsProps {
  link: Link
  /** What is shared; `''` while that is not known. */
  name: string
  /** Below the link. */
  path: string
}

/** The way from what is shared to where we are. */
export function ShareCrumbs({ link, name, path }: ShareCrumbsProps) {
  const names = segmentsOf(parsePath(path))
  const crumbs = names.map((label, depth) => ({
    label,
    to: linkAddress(link, parsePath(names.slice(0, depth + 1).join('/'))),
  }))
  return (
    <Breadcrumb
      label={t('files.location')}
      hiddenLabel={t('files.hidden')}
      root={{ label: name || t('publicShare.title'), to: linkAddress(link, parsePath('/')) }}
      crumbs={crumbs}
    />
  )
}
