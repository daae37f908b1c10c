import { browserChoice } from '../../lib/local-preference.ts'

/** Whether long lines are wrapped. */
export const wrapChoice = browserChoice('filigree.wrap', ['on', 'off'], 'on')

/** What is shown of a text that can be rendered: what is typed, what becomes of it, or both. */
export const LAYOUTS = ['source', 'split', 'rendered'] as const
export type Layout = (typeof LAYOUTS)[number]
export const layoutChoice = browserChoice<Layout>('filigree.rendered', LAYOUTS, 'split')
