import { COMMAND_EVENTS, type CommandEvent, type Settings } from '../../../shared/api/settings.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import { readSettings, writeSettings } from '../../features/settings/settings.store.ts'
import { inTransaction } from '../open.ts'
import { printable } from '../print.ts'

/** @throws AppError `bad_request` listing the events */
export function demandEvent(word: string): CommandEvent {
  const event = COMMAND_EVENTS.find(name => name === word)
  if (!event) throw new AppError('bad_request', `There is no event '${word}'. There are: ${COMMAND_EVENTS.join(', ')}.`)
  return event
}

/** The events of a word: one event, or before and after an operation such as `upload`. */
export function eventsNamed(word: string): CommandEvent[] {
  const both = COMMAND_EVENTS.filter(name => name === `before_${word}` || name === `after_${word}`)
  return both.length > 0 ? both : [demandEvent(word)]
}

/** Changes the hooks of an event; applies from the next request. */
export function changeLines(db: Db, event: CommandEvent, change: (lines: readonly string[]) => string[]) {
  return inTransaction(db, async transaction => {
    const settings = await readSettings(transaction)
    const commands = { ...settings.commands, [event]: change(settings.commands[event]) }
    await writeSettings(transaction, { ...settings, commands })
    return commands
  })
}

export function printLines(commands: Settings['commands'], events: readonly CommandEvent[] = COMMAND_EVENTS): void {
  for (const event of events) {
    for (const [index, line] of commands[event].entries()) console.log(`${event}(${index}): ${printable(line)}`)
  }
}
