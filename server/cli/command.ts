import { type Arguments, type Flag, readArguments } from '../config/flags.ts'
import { AppError } from '../errors.ts'

export type { Arguments } from '../config/flags.ts'

export interface DescribedFlag extends Flag {
  doc: string
}

/** A sub-command that does one thing and exits. */
export interface Command {
  /** Its arguments, such as `<id|username>`. */
  usage: string
  /** One-line description. */
  summary: string
  /** In addition to `COMMON_FLAGS`. */
  flags?: readonly DescribedFlag[]
  /** Number of positional arguments. */
  words: { least: number; most: number }
  /** Whether it changes the database; the audit log records it then. */
  changes?: true
  /** @throws AppError with a message for the console */
  run(given: Arguments): Promise<void>
}

/** Sub-commands by name, loaded on demand. */
export type Group = Readonly<Record<string, () => Promise<{ command: Command }>>>

/** A top-level command. */
export interface TopCommand {
  /** One-line description, for the list of commands. */
  summary: string
  /** A command, a group of commands, or a function that reads its own arguments. */
  does:
    | { group: Group }
    | { load: () => Promise<{ command: Command }> }
    | { run: (args: readonly string[]) => Promise<void> }
  /** Whether it takes all flags of the server. */
  serves?: true
}

export type TopCommands = Readonly<Record<string, TopCommand>>

/** Flags of every command. */
export const COMMON_FLAGS: readonly DescribedFlag[] = [
  { flag: 'database', short: 'd', doc: 'Database: the path of an SQLite file, or postgres://user@host/name.' },
  { flag: 'config', short: 'c', doc: 'Configuration file, which can name the database.' },
]

/** The served folder, for commands that create home folders. */
export const ROOT_FLAG: DescribedFlag = {
  flag: 'root',
  doc: 'Served folder, if it is not the one served last.',
}

/**
 * Runs a command, or prints its help.
 * @param name the full name, such as `users add`
 * @throws AppError with a message for the console
 */
export async function runCommand(name: string, command: Command, args: readonly string[]): Promise<void> {
  if (asksForHelp(args)) return describeCommand(name, command)
  const given = readArguments(args, [...COMMON_FLAGS, ...(command.flags ?? [])])
  const { least, most } = command.words
  if (given.positionals.length < least || given.positionals.length > most) {
    throw new AppError('bad_request', `Usage: ${usageOf(name, command)}`)
  }
  await command.run(given)
  if (command.changes) await (await import('./audit-note.ts')).noteCommand(auditTarget(name, command, given), given)
}

/** A command for the audit log: its first argument and the names of its flags. The rest may be secret. */
function auditTarget(name: string, { flags = [] }: Command, given: Arguments): string {
  const named = flags.filter(({ flag }) => given.flags.has(flag)).map(({ flag }) => `--${flag}`)
  return [name, ...given.positionals.slice(0, 1), ...named].join(' ')
}

/**
 * Splits off common flags in front of the command name, as in `filigree -d data.db users ls`.
 * @returns these flags, and the rest
 */
export function splitLeadingFlags(args: readonly string[]): { flags: string[]; rest: string[] } {
  let end = 0
  for (let flag = args[end]; flag !== undefined; flag = args[end]) {
    const common = COMMON_FLAGS.find(
      ({ flag: name, short }) => startsAs(flag, `--${name}`, '=') || startsAs(flag, `-${short}`),
    )
    if (!common) break
    end += flag === `--${common.flag}` || flag === `-${common.short}` ? 2 : 1
  }
  return { flags: args.slice(0, end), rest: args.slice(end) }
}

const startsAs = (argument: string, name: string, sign = ''): boolean =>
  argument === name || argument.startsWith(name + sign)

/** Runs a command of a group, or lists the commands. @throws AppError with a message for the console */
export async function runGroup(name: string, group: Group, args: readonly string[]): Promise<void> {
  const leading = splitLeadingFlags(args)
  const [first = '', ...rest] = leading.rest
  if (first === '' || first === '-h' || first === '--help') return describeGroup(name, group)
  const load = Object.hasOwn(group, first) ? group[first] : undefined
  if (!load) {
    const names = Object.keys(group).join(', ')
    throw new AppError('bad_request', `There is no command '${name} ${first}'. There are: ${names}.`)
  }
  return runCommand(`${name} ${first}`, (await load()).command, [...leading.flags, ...rest])
}

/** Runs a top-level command by its name. @throws AppError with a message for the console */
export async function runTop(name: string, args: readonly string[], commands: TopCommands): Promise<void> {
  const top = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!top) throw new AppError('bad_request', `There is no command '${name}'. Try: filigree help`)
  const { does } = top
  if ('run' in does) return does.run(args)
  if ('group' in does) return runGroup(name, does.group, args)
  return runCommand(name, (await does.load()).command, args)
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? args.length : end).some(argument => argument === '-h' || argument === '--help')
}

const usageOf = (name: string, { usage }: Command) => `filigree ${name} ${usage}`.trim()

function describeCommand(name: string, command: Command): void {
  const flags = [...(command.flags ?? []), ...COMMON_FLAGS].map(({ flag, short, doc }) => {
    const spelling = `${short ? `-${short}, ` : '    '}--${flag}`
    return `  ${spelling.padEnd(36)} ${doc}`
  })
  console.log(
    [`${command.summary}.`, '', `Usage: ${usageOf(name, command)} [flags]`, '', 'Flags:', ...flags].join('\n'),
  )
}

async function describeGroup(name: string, group: Group): Promise<void> {
  const lines = await Promise.all(
    Object.entries(group).map(async ([sub, load]) => {
      const { command } = await load()
      return `  ${`${name} ${sub} ${command.usage}`.padEnd(44)} ${command.summary}`
    }),
  )
  console.log(
    [`Usage: filigree ${name} <command> [flags]`, '', ...lines, '', `More: filigree help ${name} <command>`].join('\n'),
  )
}
