import { useEffect } from 'react'
import { shownName } from '../../shared/bytes.ts'
import { nameOf } from '../../shared/path.ts'
import { instanceName } from '../lib/config.ts'
import { t } from '../lib/i18n/index.ts'
import type { Place, Route } from '../lib/router.tsx'
import { useStore } from '../lib/store.ts'
import { openNameStore } from '../lib/title.ts'

/** Maintains the page title: the open item, and the name of the instance. */
export function useTitle(route: Place['route']): void {
  const name = useStore(openNameStore)
  useEffect(() => {
    if (route.name !== 'redirect') document.title = `${shownName(name ?? titleOf(route))} – ${instanceName}`
  })
}

/** The open item, as far as the address names it. */
export function titleOf(route: Route): string {
  if (route.name === 'login') return t('auth.title')
  if (route.name === 'files' || route.name === 'snapshot') return nameOf(route.path) || t('files.home')
  if (route.name === 'trash') return t('nav.trash')
  if (route.name === 'marks') return t(`nav.${route.page}`)
  if (route.name === 'search') return route.query || t('search.open')
  if (route.name === 'usage') return t('actions.sizes')
  if (route.name === 'history') return t('nav.history')
  if (route.name === 'share') return t('publicShare.title')
  return t(route.name === 'settings' ? 'nav.settings' : 'nav.error')
}
