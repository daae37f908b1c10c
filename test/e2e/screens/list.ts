import { ACCOUNT_SCREENS } from './list-accounts.ts'
import { FILE_SCREENS } from './list-files.ts'
import { HISTORY_SCREENS } from './list-history.ts'
import { OPENED_SCREENS } from './list-opened.ts'
import { PROMPT_SCREENS } from './list-prompts.ts'
import { TRASH_SCREENS } from './list-trash.ts'
import type { Stage } from './stage.ts'

/** Opens a screen in a new tab. */
export type Reach = (stage: Stage) => Promise<void>

/** Every screen and overlay. */
export const SCREENS: Readonly<Record<string, Reach>> = {
  ...FILE_SCREENS,
  ...PROMPT_SCREENS,
  ...TRASH_SCREENS,
  ...OPENED_SCREENS,
  ...HISTORY_SCREENS,
  ...ACCOUNT_SCREENS,
}

/** Screens without a signed-in user. */
export const SIGNED_OUT: ReadonlySet<string> = new Set(['login', 'login-wrong', 'sign-up'])

/** Previews are dark in both themes. */
export const isAlwaysDark = (name: string): boolean => name.startsWith('preview-')

/** Screens that need a running clock; for the others it is frozen. */
export const MOVING: ReadonlySet<string> = new Set(['upload-panel', 'files-late'])

/** The ten screens that --locales takes in every language. */
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
