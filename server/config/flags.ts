import { parseArgs } from 'node:util'
import { AppError } from '../errors.ts'

/** A flag of a command. */
export interface Flag {
  flag: string
  aliases?: readonly string[] | undefined
  short?: string | undefined
  /** A boolean: `--flag` is `true`, `--flag=false` or `--no-flag` is `false`. */
  boolean?: boolean | undefined
}

/** The arguments of a command. */
export interface Arguments {
  /** By the flag's canonical name; only those given. */
  flags: ReadonlyMap<string, string>
  positionals: readonly string[]
}

type Options = Record<string, { type: 'string' | 'boolean'; short?: string }>

/**
 * Parses the arguments of a command with these flags.
 * @throws AppError `bad_request` for an unknown flag or a missing value
 */
export function readArguments(args: readonly string[], known: readonly Flag[]): Arguments {
  const canonical = new Map<string, string>()
  const options: Options = {}
  for (const { flag, aliases = [], short, boolean } of known) {
    for (const name of [flag, ...aliases]) {
      options[name] = { type: boolean ? 'boolean' : 'string' }
      canonical.set(name, flag)
    }
    if (short) options[flag] = { type: boolean ? 'boolean' : 'string', short }
  }
  const { values, positionals } = parse(args, options)
  const flags = Object.entries(values).map(([name, value]) => [canonical.get(name) ?? name, String(value)] as const)
  return { flags: new Map(flags), positionals }
}

function parse(args: readonly string[], options: Options) {
  const end = args.indexOf('--')
  const plain = args.map((argument, index) => (end >= 0 && index > end ? argument : withoutValue(argument, options)))
  try {
    return parseArgs({ args: plain, options, strict: true, allowPositionals: true, allowNegative: true })
  } catch (error) {
    throw new AppError('bad_request', `${error instanceof Error ? error.message : error} Try: filigree help`)
  }
}

const POSITIVE = /^(?:1|t|true|yes|on)$/i
const NEGATIVE = /^(?:0|f|false|no|off)$/i

/** Rewrites `--flag=false` of a boolean to `--no-flag`, as `parseArgs` expects. */
function withoutValue(argument: string, options: Options): string {
  const [, name = '', value = ''] = /^--([^=]+)=(.*)$/.exec(argument) ?? []
  if (options[name]?.type !== 'boolean') return argument
  return parseSwitch(value, `--${name}`) ? `--${name}` : `--no-${name}`
}

/** @throws AppError `bad_request` for anything but a boolean */
export function parseSwitch(text: string, name: string): boolean {
  if (POSITIVE.test(text)) return true
  if (NEGATIVE.test(text)) return false
  throw new AppError('bad_request', `${name} must be true or false, not '${text}'.`)
}
