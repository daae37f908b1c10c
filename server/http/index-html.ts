import type { PageConfig } from '../../shared/api/page.ts'
import type { Settings } from '../../shared/api/settings.ts'
import type { Config } from '../config.ts'
import type { Appearance } from '../features/branding/appearance.ts'
import { type AuthSettings, captchaHost } from '../features/settings/auth-settings.ts'
import { VERSION } from '../version.ts'
import { logoUrl, pictureUrl } from './page-head.ts'

/** Detected while the server runs. */
interface Found {
  /** Whether users sign in on a page of ours. */
  loginPage: boolean
  providers: PageConfig['Providers']
  /** Whether some user has a passkey. */
  passkeys: boolean
  /** Whether some users must have a second factor. */
  factorDuty: boolean
  links: PageConfig['Links']
  /** Whether the host can make previews of videos. */
  videos: boolean
  documents: boolean
  /** What commands and hooks run in. */
  sandbox: PageConfig['ExecSandbox']
  movesByCopy: boolean
  keepsDeleted: boolean
  /** Whether there are further roots now. */
  hasRoots: boolean
  searchesContents: boolean
  appearance: Appearance
}

/** The page configuration (http-api 14) of this server. */
export function pageConfig(config: Config, settings: Settings, auth: AuthSettings, found: Found): PageConfig {
  const {
    loginPage,
    providers,
    passkeys,
    factorDuty,
    links,
    videos,
    documents,
    sandbox,
    movesByCopy,
    keepsDeleted,
    hasRoots,
    searchesContents,
    appearance,
  } = found
  const { branding, tus } = settings
  const { recaptcha } = auth
  const hasCaptcha = recaptcha.key !== '' && recaptcha.secret !== ''
  const passwordLogin = providers.length > 0 ? auth.passwordLogin : 'everybody'
  const StaticURL = `${config.baseURL}/static`
  return {
    Name: branding.name,
    DisableExternal: branding.disableExternal,
    DisableUsedPercentage: branding.disableUsedPercentage,
    BaseURL: config.baseURL,
    StaticURL,
    ReCaptcha: hasCaptcha,
    ...(hasCaptcha ? { ReCaptchaHost: captchaHost(auth) } : {}),
    ReCaptchaKey: hasCaptcha ? recaptcha.key : '',
    Signup: settings.signup && loginPage && passwordLogin === 'everybody',
    Version: VERSION,
    NoAuth: auth.method === 'noauth',
    AuthMethod: auth.method,
    LoginPage: loginPage,
    Providers: providers,
    PasswordLogin: passwordLogin,
    Passkeys: passkeys && auth.method === 'json',
    FactorDuty: factorDuty && auth.method === 'json',
    Links: links,
    LogoutPage: auth.logoutPage || '/login',
    HideLoginButton: settings.hideLoginButton,
    Theme: branding.theme,
    Color: branding.color,
    CSS: appearance.files.has('custom.css'),
    Logo: logoUrl(StaticURL, appearance),
    LoginPicture: pictureUrl(StaticURL, appearance),
    EnableThumbs: config.thumbnails,
    VideoThumbs: config.thumbnails && videos,
    Documents: documents,
    ResizePreview: config.resizePreview,
    EnableExec: !config.disableExec,
    ExecSandbox: sandbox,
    MovesByCopy: movesByCopy,
    FolderCovers: config.folderCovers,
    FolderReadme: config.folderReadme,
    SharedTags: config.sharedTags === 'modify',
    Mail: config.mail !== undefined,
    Dav: config.dav !== 'off',
    UserWebhooks: config.webhooks === 'users',
    AdminTokens: config.adminTokens,
    TokenDays: config.tokenDays,
    Mounts: hasRoots,
    Office: config.office !== '',
    Trash: keepsDeleted && config.trash !== 'off',
    SearchesContents: searchesContents,
    TusSettings: tus,
  }
}
