import { AppError } from '../errors.ts'
import { parseSwitch } from './flags.ts'
import { HOST_ONLY_SETTINGS } from './host-only-settings.ts'
import { INTERFACE_SETTINGS } from './interface-settings.ts'
import type { Setting, ValueOf } from './setting.ts'

/** Every setting of the host, once (http-api 19.1). */
export const SETTINGS = { ...HOST_ONLY_SETTINGS, ...INTERFACE_SETTINGS }

export type SettingName = keyof typeof SETTINGS

/** The value of each setting. */
export type Values = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> }

/** The spellings of a setting. */
export interface Spelling {
  flag: string | undefined
  /** The key in a configuration file, in any case. */
  key: string | undefined
  aliases: readonly string[]
  /** Environment variables: the first is canonical, the others are accepted for compatibility. */
  env: readonly string[]
}

/** All settings as plain data with their spellings. */
export const ALL_SETTINGS: readonly (Omit<Setting, keyof Spelling> & Spelling & { name: SettingName })[] =
  Object.entries<Setting>(SETTINGS).map(([name, setting]) => ({
    ...setting,
    ...spellingOf(name, setting),
    name: name as SettingName,
  }))

/**
 * Settings of File Browser without effect (http-api 19.1): accepted with a notice, so that existing scripts, variables and
 * files still start the server.
 */
export const IDLE_SETTINGS: readonly Spelling[] = [
  { flag: 'redisCacheUrl', key: 'redisCacheUrl', aliases: ['redis-cache-url'], env: ['FB_REDIS_CACHE_URL'] },
]

function spellingOf(name: string, { flag, aliases = [], variables = [] }: Setting): Spelling {
  const snake = name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, '_$&').toLowerCase()
  const kebab = snake.replaceAll('_', '-')
  return {
    flag: flag === undefined ? name : undefined,
    key: flag === false ? undefined : name,
    aliases: flag !== undefined || kebab === name ? aliases : [kebab, ...aliases],
    env: [`FILIGREE_${snake.toUpperCase()}`, ...variables],
  }
}

/** Whether the interface can change a setting, too. */
export const isInterfaceSetting = (name: string): name is keyof typeof INTERFACE_SETTINGS =>
  Object.hasOwn(INTERFACE_SETTINGS, name)

/**
 * The value of a setting as written.
 * @throws AppError `bad_request` with a sentence for the console
 */
export function parseSetting(name: SettingName, text: string): unknown {
  const { parse, boolean, words }: Setting = SETTINGS[name]
  if (parse) return parse(text)
  if (boolean) return parseSwitch(text, name)
  if (!words || words.includes(text)) return text
  throw new AppError('bad_request', `The setting ${name} must be one of ${words.join(', ')}, not '${text}'.`)
}

/** The flags and variables as lines for the help text. */
export function describeSettings(): string[] {
  return ALL_SETTINGS.map(({ flag, short, env, default: text, doc }) => {
    const name = flag === undefined ? `    (${env[0]})` : `${short ? `-${short}, ` : '    '}--${flag}`
    return `  ${name.padEnd(28)} ${doc}${text === '' ? '' : ` Default: ${text}.`}`
  })
}
