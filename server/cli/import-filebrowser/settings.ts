import { type AuthMethodName, COLOUR, COMMAND_EVENTS, THEMES } from '../../../shared/api/settings.ts'
import { AppError } from '../../errors.ts'
import type { ServerSettings } from '../../features/settings/server-settings.ts'
import { fromDocument } from '../config/document.ts'
import { checkServer, type Parts } from '../config/parts.ts'
import { type Tell, teller, tidyFolder, tidyLook, tidyRules } from './normalize.ts'
import type { Note } from './report.ts'
import { type Fields, isFields, type Source } from './source.ts'

/**
 * Whether the last program that wrote a database counted rules by whole names and kept links inside (2.63.16 and newer).
 */
export const isRecent = ({ server }: Source): boolean => server !== undefined && 'followExternalSymlinks' in server

/**
 * The settings as they can be kept here; what is odd, or means something else, is told. The signing key stays behind.
 * @returns nothing when there are none
 * @throws AppError `bad_request` naming a field that makes no sense
 */
export function convertSettings(source: Source, notes: Note[]): Parts | undefined {
  const { settings, server = {}, auther = {} } = source
  if (!settings) return undefined
  const tell = teller(notes, 'settings')
  const told = teller(notes, 'sessions')
  told('changes', 'everybody signs in again, since the key that signed the old sessions is not taken')
  const { method, auther: known } = tidySignIn(settings.authMethod, auther, teller(notes, 'signing in'))
  return fromDocument({
    settings: { ...tidySettings(settings, tell), authMethod: method },
    server: tidyServer(server, { recent: isRecent(source), hasHooks: hooksIn(settings) }, teller(notes, 'server')),
    auther: known,
  })
}

/** Whether command lines are hooked to anything. */
const hooksIn = ({ commands }: Fields): boolean =>
  isFields(commands) && Object.values(commands).some(lines => Array.isArray(lines) && lines.length > 0)

function tidySettings(settings: Fields, tell: Tell): Fields {
  const { defaults, branding, commands, rules, userHomeBasePath } = settings
  const hooks = isFields(commands) ? commands : {}
  if (settings.fileMode === undefined || settings.dirMode === undefined) {
    tell(
      'changes',
      'new files get the mode 0640 and new folders 0750, where the umask decided; others: filigree config set --fileMode, --dirMode',
    )
  }
  const unknown = Object.entries(hooks).filter(
    ([event, lines]) => !COMMAND_EVENTS.some(name => name === event) && Array.isArray(lines) && lines.length > 0,
  )
  for (const [event] of unknown) tell('cannot', `commands of ${event}, which never happens here`)
  return {
    ...settings,
    rules: tidyRules(rules, tell),
    userHomeBasePath: userHomeBasePath ? tidyFolder(userHomeBasePath, tell) : '',
    branding: tidyBranding(isFields(branding) ? branding : {}, tell),
    ...(isFields(defaults) ? { defaults: tidyDefaults(defaults, tell) } : {}),
  }
}

function tidyBranding(branding: Fields, tell: Tell): Fields {
  const { theme, color = '' } = branding
  const isColour = typeof color === 'string' && (color === '' || COLOUR.test(color))
  if (!isColour) tell('cannot', `the colour ${JSON.stringify(color)}; here it has to be one like #00707b`)
  return { ...branding, theme: THEMES.some(name => name === theme) ? theme : '', color: isColour ? color : '' }
}

function tidyDefaults(defaults: Fields, tell: Tell): Fields {
  const { scope } = defaults
  const { admin, execute } = isFields(defaults.perm) ? defaults.perm : {}
  if (admin === true || execute === true) {
    tell('changes', 'people who sign up become neither administrators nor runners of commands, whatever new users get')
  }
  return { ...tidyLook(defaults, tell), scope: scope === '' || scope === '.' ? '.' : tidyFolder(scope, tell) }
}

/** Kept by programs before 2.63 and never looked at: only the flags of the start counted (http-api 19.1). */
const SWITCHES = ['enableThumbnails', 'resizePreview', 'typeDetectionByHeader'] as const
const CHECKED = ['port', 'baseURL', 'tokenExpirationTime'] as const

function tidyServer(raw: Fields, { recent, hasHooks }: { recent: boolean; hasHooks: boolean }, tell: Tell): Fields {
  const server: Record<string, unknown> = { ...raw, root: '', enableExec: false, followExternalSymlinks: false }
  for (const name of recent ? [] : SWITCHES) delete server[name]
  for (const name of CHECKED) {
    const reason = whyNot(name, raw[name])
    if (reason === undefined) continue
    tell('cannot', reason)
    delete server[name]
  }
  if (raw.enableExec === true || hasHooks)
    tell('todo', 'programs stay off; to run hooks and commands: filigree config set --disableExec=false')
  if (raw.followExternalSymlinks === true) {
    tell('todo', 'links out of a folder stay closed; to open them: filigree config set --followExternalSymlinks')
  } else if (!recent) {
    tell('changes', 'a link (symlink) that leads out of somebody’s folder is shown there, but not followed')
  }
  return server
}

function whyNot(name: (typeof CHECKED)[number], value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined
  try {
    checkServer({ [name]: String(value) } satisfies Partial<ServerSettings>)
    return typeof value === 'string' ? undefined : `${name} is no text`
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/** How people sign in; by their passwords where the way is not known, or lacks what it needs. */
function tidySignIn(method: unknown, auther: Fields, tell: Tell): { method: AuthMethodName; auther: Fields } {
  const { header, command } = auther
  if (method === 'proxy' && typeof header === 'string' && header !== '') {
    tell('todo', 'only a proxy you name may say who somebody is; start with: --trustedProxies <address of the proxy>')
    return { method, auther }
  }
  if (method === 'hook' && typeof command === 'string' && command !== '') {
    if (command.includes('$')) {
      tell('changes', 'name and password come in the variables USERNAME and PASSWORD, not in the words of the command')
    }
    return { method, auther }
  }
  if (method === 'noauth') tell('todo', 'nobody is asked for a password; beyond this machine only with: --noauth')
  if (method === 'json' || method === 'noauth' || method === undefined) return { method: method ?? 'json', auther }
  tell('changes', `the way ${JSON.stringify(method)} is not known or lacks its settings; people sign in with passwords`)
  return { method: 'json', auther: {} }
}
