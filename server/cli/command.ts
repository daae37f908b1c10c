import { type Arguments, type Flag, readArguments } from '../config/flags.ts'
import { AppError } from '../errors.ts'

export type { Arguments } from '../config/flags.ts'

export interface DescribedFlag extends Flag {
  doc: string
}

/** A command of the console that does one thing and ends. */
export interface Command {
  /** The words behind its name, such as `<id|username>`. */
  usage: string
  /** One line of what it does. */
  summary: string
  /** Besides `COMMON_FLAGS`. */
  flags?: readonly DescribedFlag[]
  /** How many words it takes. */
  words: { least: number; most: number }
  /** Whether it changes what the database keeps, which the audit log is told of. */
  changes?: true
  /** @throws AppError with a sentence for the console */
  run(given: Arguments): Promise<void>
}

/** Sub-commands by name, each loaded when it is called. */
export type Group = Readonly<Record<string, () => Promise<{ command: Command }>>>

/** A word behind `filigree`. */
export interface TopCommand {
  /** One line for the list of commands. */
  summary: string
  /** What the word does: a command or a group of them, or something that reads its own arguments. */
  does:
    | { group: () => Promise<{ GROUP: Group }> }
    | { command: (commands: TopCommands) => Promise<Command> }
    | { run: (args: readonly string[], commands: TopCommands) => Promise<void> }
  /** Whether it takes every flag of a server. */
  serves?: true
}

export type TopCommands = Readonly<Record<string, TopCommand>>

/** What every command understands. */
export const COMMON_FLAGS: readonly DescribedFlag[] = [
  { flag: 'database', short: 'd', doc: 'SQLite file that keeps users, sessions and settings.' },
  { flag: 'config', short: 'c', doc: 'File with settings, among them the database.' },
]

/** The folder, for commands that make homes in it. */
export const ROOT_FLAG: DescribedFlag = {
  flag: 'root',
  doc: 'Folder that is served, if it is not the one served last.',
}

/**
 * Runs a command, or tells how it is used.
 * @param name with all words that lead to it
 * @throws AppError with a sentence for the console
 */
export async function runCommand(name: string, command: Command, args: readonly string[]): Promise<void> {
  if (asksForHelp(args)) return describeCommand(name, command)
  const given = readArguments(args, [...COMMON_FLAGS, ...(command.flags ?? [])])
  const { least, most } = command.words
  if (given.positionals.length < least || given.positionals.length > most) {
    throw new AppError('bad_request', `Usage: ${usageOf(name, command)}`)
  }
  await command.run(given)
  if (command.changes) await (await import('./audit-note.ts')).noteCommand(toldOf(name, command, given), given)
}

/** A command as the audit log is told of it: its first word and the names of its flags. The rest may be secret. */
function toldOf(name: string, { flags = [] }: Command, given: Arguments): string {
  const named = flags.filter(({ flag }) => given.flags.has(flag)).map(({ flag }) => `--${flag}`)
  return [name, ...given.positionals.slice(0, 1), ...named].join(' ')
}

/**
 * Flags of every command may stand before its name, as in `filigree -d data.db users ls`.
 * @returns those, and what follows them
 */
export function partLeadingFlags(args: readonly string[]): { flags: string[]; rest: string[] } {
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

/** Runs one of a group's commands, or lists them. @throws AppError with a sentence for the console */
export async function runGroup(name: string, group: Group, args: readonly string[]): Promise<void> {
  const leading = partLeadingFlags(args)
  const [first = '', ...rest] = leading.rest
  if (first === '' || first === '-h' || first === '--help') return describeGroup(name, group)
  const load = Object.hasOwn(group, first) ? group[first] : undefined
  if (!load) {
    const names = Object.keys(group).join(', ')
    throw new AppError('bad_request', `There is no command '${name} ${first}'. There are: ${names}.`)
  }
  return runCommand(`${name} ${first}`, (await load()).command, [...leading.flags, ...rest])
}

/** Runs the command behind `filigree` that has the name. @throws AppError with a sentence for the console */
export async function runTop(name: string, args: readonly string[], commands: TopCommands): Promise<void> {
  const top = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!top) throw new AppError('bad_request', `There is no command '${name}'. Try: filigree help`)
  const { does } = top
  if ('run' in does) return does.run(args, commands)
  if ('group' in does) return runGroup(name, (await does.group()).GROUP, args)
  return runCommand(name, await does.command(commands), args)
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
