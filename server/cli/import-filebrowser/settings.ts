import { type AuthMethodName, COLOUR, COMMAND_EVENTS, THEMES } from '../../../shared/api/settings.ts'
import { parseSetting } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { fromDocument } from '../config/document.ts'
import type { Parts } from '../config/parts.ts'
import { normalizeFolder, normalizeRules, normalizeView, type Reporter, reporterFor } from './normalize.ts'
import type { Note } from './report.ts'
import { type Fields, isFields, type Source } from './source.ts'

/**
 * Whether the database was last written by 2.63.16 or newer, where rules match whole segments and links are confined.
 */
export const isRecent = ({ server }: Source): boolean => server !== undefined && 'followExternalSymlinks' in server

/**
 * Converts the settings, and reports what is invalid or works differently. The signing key is not imported.
 * @returns `undefined` when there are none
 * @throws AppError `bad_request` naming the invalid field
 */
export function convertSettings(source: Source, notes: Note[]): Parts | undefined {
  const { settings, server = {}, auther = {} } = source
  if (!settings) return undefined
  const report = reporterFor(notes, 'settings')
  const reportSessions = reporterFor(notes, 'sessions')
  reportSessions('changes', 'all users sign in again, since the signing key is not imported')
  const { method, auther: known } = normalizeSignIn(settings.authMethod, auther, reporterFor(notes, 'signing in'))
  return fromDocument({
    settings: { ...normalizeSettings(settings, report), authMethod: method },
    server: normalizeServer(
      server,
      { recent: isRecent(source), hasHooks: hooksIn(settings) },
      reporterFor(notes, 'server'),
    ),
    auther: known,
  })
}

/** Whether there are hooks. */
const hooksIn = ({ commands }: Fields): boolean =>
  isFields(commands) && Object.values(commands).some(lines => Array.isArray(lines) && lines.length > 0)

function normalizeSettings(settings: Fields, report: Reporter): Fields {
  const { defaults, branding, commands, rules, userHomeBasePath } = settings
  const hooks = isFields(commands) ? commands : {}
  if (settings.fileMode === undefined || settings.dirMode === undefined) {
    report(
      'changes',
      'new files get the mode 0640 and new folders 0750, which followed the umask before; to change them: filigree config set --fileMode, --dirMode',
    )
  }
  const unknown = Object.entries(hooks).filter(
    ([event, lines]) => !COMMAND_EVENTS.some(name => name === event) && Array.isArray(lines) && lines.length > 0,
  )
  for (const [event] of unknown) report('cannot', `commands of ${event}, an event that does not exist here`)
  return {
    ...settings,
    rules: normalizeRules(rules, report),
    userHomeBasePath: userHomeBasePath ? normalizeFolder(userHomeBasePath, report) : '',
    branding: normalizeBranding(isFields(branding) ? branding : {}, report),
    ...(isFields(defaults) ? { defaults: normalizeDefaults(defaults, report) } : {}),
  }
}

function normalizeBranding(branding: Fields, report: Reporter): Fields {
  const { theme, color = '' } = branding
  const isColour = typeof color === 'string' && (color === '' || COLOUR.test(color))
  if (!isColour) report('cannot', `the colour ${JSON.stringify(color)}; it must look like #00707b`)
  return { ...branding, theme: THEMES.some(name => name === theme) ? theme : '', color: isColour ? color : '' }
}

function normalizeDefaults(defaults: Fields, report: Reporter): Fields {
  const { scope } = defaults
  const { admin, execute } = isFields(defaults.perm) ? defaults.perm : {}
  if (admin === true || execute === true) {
    report(
      'changes',
      'accounts created by sign-up get neither the admin nor the execute permission, whatever the defaults',
    )
  }
  return {
    ...normalizeView(defaults, report),
    scope: scope === '' || scope === '.' ? '.' : normalizeFolder(scope, report),
  }
}

/** Stored by versions before 2.63 but ignored: only the flags at the start counted (http-api 19.1). */
const SWITCHES = ['enableThumbnails', 'resizePreview', 'typeDetectionByHeader'] as const
const CHECKED = ['port', 'baseURL', 'tokenExpirationTime'] as const

function normalizeServer(
  raw: Fields,
  { recent, hasHooks }: { recent: boolean; hasHooks: boolean },
  report: Reporter,
): Fields {
  const server: Record<string, unknown> = { ...raw, root: '', enableExec: false, followExternalSymlinks: false }
  for (const name of recent ? [] : SWITCHES) delete server[name]
  for (const name of CHECKED) {
    const reason = whyNot(name, raw[name])
    if (reason === undefined) continue
    report('cannot', reason)
    delete server[name]
  }
  if (raw.enableExec === true || hasHooks)
    report('todo', 'commands and hooks stay off; to allow them: filigree config set --disableExec=false')
  if (raw.followExternalSymlinks === true) {
    report(
      'todo',
      'symbolic links out of a folder are not followed; to follow them: filigree config set --followExternalSymlinks',
    )
  } else if (!recent) {
    report('changes', 'a symbolic link out of a user’s folder is listed, but not followed')
  }
  return server
}

function whyNot(name: (typeof CHECKED)[number], value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined
  try {
    parseSetting(name, String(value))
    return typeof value === 'string' ? undefined : `${name} is not a string`
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

/** The authentication method; `json` if it is unknown or incomplete. */
function normalizeSignIn(
  method: unknown,
  auther: Fields,
  report: Reporter,
): { method: AuthMethodName; auther: Fields } {
  const { header, command } = auther
  if (method === 'proxy' && typeof header === 'string' && header !== '') {
    report('todo', 'the header counts only from a trusted proxy; start with: --trustedProxies <address of the proxy>')
    return { method, auther }
  }
  if (method === 'hook' && typeof command === 'string' && command !== '') {
    if (command.includes('$')) {
      report(
        'changes',
        'name and password are in the variables USERNAME and PASSWORD, not in the arguments of the command',
      )
    }
    return { method, auther }
  }
  if (method === 'noauth')
    report('todo', 'no password is needed; to listen on more than the loopback address, start with: --noauth')
  if (method === 'json' || method === 'noauth' || method === undefined) return { method: method ?? 'json', auther }
  report(
    'changes',
    `the method ${JSON.stringify(method)} is unknown or lacks its settings; users sign in with passwords`,
  )
  return { method: 'json', auther: {} }
}
