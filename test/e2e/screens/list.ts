import { ACCOUNT_SCREENS } from './list-accounts.ts'
import { FILE_SCREENS } from './list-files.ts'
import { OPENED_SCREENS } from './list-opened.ts'
import { PROMPT_SCREENS } from './list-prompts.ts'
import type { Stage } from './stage.ts'

/** How to get to a screen from nowhere. */
export type Reach = (stage: Stage) => Promise<void>

/** Every screen and overlay, in the order of the gallery. */
export const SCREENS: Readonly<Record<string, Reach>> = {
  ...FILE_SCREENS,
  ...PROMPT_SCREENS,
  ...OPENED_SCREENS,
  ...ACCOUNT_SCREENS,
}

/** Those that nobody is logged in for. */
export const SIGNED_OUT: ReadonlySet<string> = new Set(['login', 'login-wrong', 'sign-up'])

/** Previews are dark in both sets of colours. */
export const isAlwaysDark = (name: string): boolean => name.startsWith('preview-')

/** Those that need time to pass; for the others it stands still. */
export const MOVING: ReadonlySet<string> = new Set(['upload-panel', 'files-late'])

/** The ten that are looked at in every language. */
export const LOCALE_SCREENS: readonly string[] = [
  'login',
  'files-list',
  'files-selection',
  'details',
  'menu-item',
  'delete-several',
  'share-form',
  'conflicts',
  'profile',
  'user-new',
]
