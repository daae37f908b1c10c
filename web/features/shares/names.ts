import type { LinkChange, LinkKind, ShareLink } from '../../../shared/api/shares.ts'
import { foldLinkName, isLinkName } from '../../../shared/link-names.ts'
import { pageConfig } from '../../lib/config.ts'
import { t } from '../../lib/i18n/index.ts'

/** What a form has of a link's name and of its limit, as typed. */
export interface NamesInput {
  slug: string
  maxDownloads: string
  previewOnly: boolean
}

/** An error with its field. */
export interface NamesProblem {
  at: 'slug' | 'maxDownloads'
  text: string
}

export const namesOf = (link: ShareLink | undefined): NamesInput => ({
  slug: link?.slug ?? '',
  maxDownloads: link?.maxDownloads === undefined ? '' : String(link.maxDownloads),
  previewOnly: link?.previewOnly ?? false,
})

/** @param isLocked whether the link will have a password @returns what changes, or what is wrong */
export function parseNames(
  input: NamesInput,
  { link, kind, isLocked }: { link: ShareLink | undefined; kind: LinkKind; isLocked: boolean },
): Pick<LinkChange, 'slug' | 'maxDownloads' | 'previewOnly'> | NamesProblem {
  const slug = foldLinkName(input.slug)
  if (slug !== '' && !isLinkName(slug)) return { at: 'slug', text: t('links.slugBad') }
  if (slug !== '' && !isLocked && pageConfig.Links.slugs !== 'open') return { at: 'slug', text: t('links.slugLock') }
  const limit = input.maxDownloads.trim()
  const isNumber = /^\d{1,15}$/.test(limit) && Number(limit) > 0
  if (kind === 'view' && limit !== '' && !isNumber) return { at: 'maxDownloads', text: t('links.badLimit') }
  const maxDownloads = limit === '' ? null : Number(limit)
  return {
    ...(slug !== (link?.slug ?? '') && { slug: slug === '' ? null : slug }),
    ...(kind === 'view' && maxDownloads !== (link?.maxDownloads ?? null) && { maxDownloads }),
    ...(kind === 'view' && input.previewOnly !== (link?.previewOnly ?? false) && { previewOnly: input.previewOnly }),
  }
}

export const isNamesProblem = (parsed: object): parsed is NamesProblem => 'at' in parsed
