import type { SettingOrigin } from '../../shared/api/diagnostics.ts'
import { type ConfigFile, readValueFile } from './file.ts'
import type { Flag } from './flags.ts'
import { ALL_SETTINGS, IDLE_SETTINGS, type SettingName, type Spelling } from './settings.ts'

/** A setting as given by a source. */
export interface Written {
  from: SettingOrigin
  text: string
  /** Name of the variable, or path of the file. */
  where?: string
}

/** Sources of settings, in order of precedence (http-api 19.1). */
export interface Sources {
  flags: ReadonlyMap<string, string>
  env: NodeJS.ProcessEnv
  file: ConfigFile | undefined
}

/** Flags of `serve`. */
export const SERVE_FLAGS: readonly Flag[] = [...ALL_SETTINGS, ...IDLE_SETTINGS].flatMap(setting =>
  setting.flag === undefined ? [] : [{ ...setting, flag: setting.flag }],
)

const SPELLINGS: ReadonlyMap<string, Spelling> = new Map(ALL_SETTINGS.map(setting => [setting.name, setting]))

/** The value of a setting from the first source on the host that sets it. */
export function given(name: SettingName, { flags, env, file }: Sources): Written | undefined {
  const spelling = SPELLINGS.get(name)
  if (!spelling) return undefined
  const fromFlag = flags.get(spelling.flag ?? '')
  if (fromFlag !== undefined) return { from: 'flag', text: fromFlag }
  return fromEnvironment(spelling, env) ?? fromFile(spelling, file)
}

/** Each variable has a `_FILE` variant that names a file with the value. */
function fromEnvironment({ env: names }: Spelling, env: NodeJS.ProcessEnv): Written | undefined {
  const isGiven = (name: string) => env[name] !== undefined && env[name] !== ''
  const where = names.flatMap(name => [name, `${name}_FILE`]).find(isGiven)
  if (where === undefined) return undefined
  const text = env[where] ?? ''
  return { from: 'variable', where, text: names.includes(where) ? text : readValueFile(where, text) }
}

/** Names in the file are those of the flags, case-insensitive. */
function fromFile({ key, aliases }: Spelling, file: ConfigFile | undefined) {
  if (key === undefined || !file) return undefined
  const names = [key, ...aliases].map(name => name.toLowerCase())
  const found = [...file.values].find(([name]) => names.includes(name.toLowerCase()))
  return found && ({ from: 'file', where: file.path, text: found[1] } satisfies Written)
}

/** Notices about given settings without effect, for the console. */
export function noticesOf(sources: Sources): string[] {
  const { flags, env, file } = sources
  const idle = IDLE_SETTINGS.filter(
    setting =>
      flags.has(setting.flag ?? '') ||
      fromEnvironment(setting, env) !== undefined ||
      fromFile(setting, file) !== undefined,
  ).map(({ key }) => `The setting ${key} has no effect here.`)
  const known = [...ALL_SETTINGS, ...IDLE_SETTINGS]
    .flatMap(({ key = [], aliases }) => [key, aliases].flat())
    .map(name => name.toLowerCase())
  const unknown = [...(file?.values.keys() ?? [])].filter(name => !known.includes(name.toLowerCase()))
  return [...idle, ...unknown.map(name => `${file?.path}: there is no setting '${name}'; it is ignored.`)]
}
