import { localPreference } from '../../lib/local-preference.ts'

/** Whether long lines are wrapped. */
export const wrapPreference = localPreference('filigree.wrap', ['on', 'off'], 'on')

export const toggleWrap = () => wrapPreference.choose(wrapPreference.store.get() === 'on' ? 'off' : 'on')

/** Panes of a text that can be rendered: source, preview, or both. */
export const LAYOUTS = ['source', 'split', 'rendered'] as const
export type Layout = (typeof LAYOUTS)[number]
export const layoutPreference = localPreference<Layout>('filigree.rendered', LAYOUTS, 'split')
