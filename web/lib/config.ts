import { PAGE_CONFIG_ID, type PageConfig } from '../../shared/api/page.ts'

/** Defaults for a page without (valid) configuration: the development server, for instance. */
export const FALLBACK_CONFIG: PageConfig = Object.freeze({
  Name: '',
  DisableExternal: false,
  DisableUsedPercentage: false,
  BaseURL: '',
  StaticURL: '/static',
  ReCaptcha: false,
  ReCaptchaKey: '',
  Signup: false,
  Version: '',
  NoAuth: false,
  AuthMethod: 'json',
  LoginPage: true,
  LogoutPage: '/login',
  Providers: [],
  PasswordLogin: 'everybody',
  Passkeys: false,
  FactorDuty: false,
  Links: { kinds: ['view', 'edit', 'drop'], password: 'optional', maxDays: 0, slugs: 'locked' } as PageConfig['Links'],
  HideLoginButton: false,
  Theme: '',
  Color: '',
  CSS: false,
  Logo: '',
  LoginPicture: '',
  EnableThumbs: false,
  VideoThumbs: false,
  Documents: false,
  ResizePreview: false,
  EnableExec: false,
  ExecSandbox: 'bubblewrap',
  MovesByCopy: false,
  Mounts: false,
  Office: false,
  FolderCovers: true,
  FolderReadme: true,
  SharedTags: false,
  Mail: false,
  Dav: false,
  UserWebhooks: false,
  AdminTokens: false,
  TokenDays: 0,
  Trash: false,
  SearchesContents: false,
  TusSettings: { chunkSize: 10 * 1024 * 1024, retryCount: 5 },
})

const AUTH_METHODS: readonly string[] = ['json', 'proxy', 'hook', 'noauth'] satisfies PageConfig['AuthMethod'][]
const SANDBOXES: readonly string[] = ['bubblewrap', 'none', 'missing'] satisfies PageConfig['ExecSandbox'][]
const THEMES: readonly string[] = ['', 'light', 'dark', 'auto'] satisfies PageConfig['Theme'][]

/**
 * Reads a page configuration. A missing or invalid field takes its default, so that one bad value cannot keep the page
 * from starting.
 */
export function readPageConfig(text: string): PageConfig {
  const given = parseObject(text)
  const config: Record<string, unknown> = { ...FALLBACK_CONFIG }
  for (const [key, fallback] of Object.entries(FALLBACK_CONFIG)) {
    const value = given[key]
    if (typeof value === typeof fallback && value !== null && typeof value !== 'object') config[key] = value
  }
  if (Array.isArray(given.Providers)) config.Providers = given.Providers
  if (given.Links) config.Links = given.Links
  if (typeof given.ReCaptchaHost === 'string') config.ReCaptchaHost = given.ReCaptchaHost
  if (!AUTH_METHODS.includes(String(config.AuthMethod))) config.AuthMethod = FALLBACK_CONFIG.AuthMethod
  if (!SANDBOXES.includes(String(config.ExecSandbox))) config.ExecSandbox = FALLBACK_CONFIG.ExecSandbox
  if (!THEMES.includes(String(config.Theme))) config.Theme = FALLBACK_CONFIG.Theme
  config.BaseURL = cleanBase(String(config.BaseURL))
  config.TusSettings = readTus(given.TusSettings)
  return config as unknown as PageConfig
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function cleanBase(base: string): string {
  const path = base.replace(/^\/*/, '/').replace(/\/+$/, '')
  return path === '/' ? '' : path
}

function readTus(value: unknown): PageConfig['TusSettings'] {
  const { chunkSize, retryCount } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >
  const fallback = FALLBACK_CONFIG.TusSettings
  return {
    chunkSize: typeof chunkSize === 'number' && chunkSize > 0 ? chunkSize : fallback.chunkSize,
    retryCount: typeof retryCount === 'number' && retryCount >= 0 ? retryCount : fallback.retryCount,
  }
}

const text = typeof document === 'undefined' ? '' : document.getElementById(PAGE_CONFIG_ID)?.textContent

/** The configuration of this page. */
export const pageConfig: PageConfig = readPageConfig(text ?? '')

/** Display name of this instance. */
export const instanceName = pageConfig.Name || 'Filigree'

/** Where sign-out leads, if not to the sign-in page. */
export const otherLogoutPage = pageConfig.LogoutPage === FALLBACK_CONFIG.LogoutPage ? undefined : pageConfig.LogoutPage

/** Whether signing out has an effect: the server authenticates users itself, or has a sign-out page configured. */
export const mayLogOut = pageConfig.AuthMethod === 'json' || otherLogoutPage !== undefined

/** URL of an API call: `apiUrl('/api/usage/')`. */
export function apiUrl(path: string): string {
  return pageConfig.BaseURL + path
}
