import { COMMAND_EVENTS, type CommandEvent, type SettingsAnswer, type Theme } from '../../../shared/api/settings.ts'
import { draftRules, type RuleDraft, rulesOf } from '../../ui/rules/rules.ts'
import { wordsOf } from '../../ui/user-fields.tsx'

/** The settings as a form holds them: lists are text. */
export interface GlobalDraft {
  /** As received; fields that the form lacks are sent back unchanged. */
  settings: SettingsAnswer
  rules: readonly RuleDraft[]
  shell: string
  minimumPasswordLength: string
  defaultCommands: string
  /** One command per line. */
  commands: Record<CommandEvent, string>
}

export function draftOf(settings: SettingsAnswer): GlobalDraft {
  const { theme } = settings.branding
  // Both are light (http-api 15.5); the form offers one.
  const branding = { ...settings.branding, theme: theme === 'light' ? ('' satisfies Theme) : theme }
  return {
    settings: { ...settings, branding },
    rules: draftRules(settings.rules),
    shell: settings.shell.join(' '),
    minimumPasswordLength: String(settings.minimumPasswordLength),
    defaultCommands: settings.defaults.commands.join(' '),
    commands: byEvent(event => settings.commands[event].join('\n')),
  }
}

/** The request: words and lines are trimmed, empty ones dropped. */
export function wireOf(draft: GlobalDraft): SettingsAnswer {
  const { settings, rules, shell, minimumPasswordLength, defaultCommands, commands } = draft
  return {
    ...settings,
    rules: rulesOf(rules),
    shell: wordsOf(shell),
    minimumPasswordLength: Number(minimumPasswordLength),
    defaults: { ...settings.defaults, commands: wordsOf(defaultCommands) },
    commands: byEvent(event => linesOf(commands[event])),
  }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
}

const byEvent = <T>(read: (event: CommandEvent) => T) =>
  Object.fromEntries(COMMAND_EVENTS.map(event => [event, read(event)])) as Record<CommandEvent, T>
