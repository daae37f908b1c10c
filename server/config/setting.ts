import type { HostReason } from '../../shared/api/diagnostics.ts'

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export const NAME_INDEX_MODES = ['auto', 'always', 'scheduled', 'off'] as const
export type NameIndexMode = (typeof NAME_INDEX_MODES)[number]

export const CONTENT_INDEX_MODES = ['auto', 'always', 'off'] as const

/** Whether a server serves requests, runs jobs, or both. */
export const ROLES = ['all', 'web', 'worker'] as const

/** Whether there is WebDAV, and whether it takes passwords over plain HTTP from everywhere. */
export const DAV_MODES = ['off', 'secure', 'on'] as const

/** The sandbox of commands and hooks. */
export const SANDBOXES = ['bubblewrap', 'none'] as const

/** Whether the server calls the operating system directly. */
export const AUTO_MODES = ['auto', 'off'] as const

/**
 * A setting of the host. Its name is the key in the table, and gives its flag, the flag in kebab case, the key in a
 * configuration file and the variable with the prefix `FILIGREE_`.
 */
export interface Setting {
  /** `false` if only a variable sets it; `file` if a file may, too. */
  flag?: false | 'file'
  short?: string
  /** More spellings of the flag. */
  aliases?: readonly string[]
  /** More variables, for compatibility. */
  variables?: readonly string[]
  /** A boolean: its flag needs no value. */
  boolean?: boolean
  /** The allowed values of an enumeration. */
  words?: readonly string[]
  /** Never shown. */
  secret?: boolean
  /** Why it can be set only on the host; `undefined` for an open setting, which the interface can change, too. */
  host?: HostReason
  default: string
  doc: string
  /** The value of a text; neither needed for booleans and enumerations nor for plain texts. @throws AppError `bad_request` */
  parse?(text: string): unknown
}

export type HostOnlySetting = Setting & { host: HostReason }

/** The type of a setting's value. */
export type ValueOf<S extends Setting> = S extends { parse: (text: string) => infer Value }
  ? Value
  : S extends { boolean: true }
    ? boolean
    : S extends { words: readonly (infer Word)[] }
      ? Word
      : string
