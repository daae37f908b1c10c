import type { LinkPolicy } from './access-settings.ts'

/**
 * The page configuration that the server writes into the index page as JSON, in `<script type="application/json"
 * id="app-config">` (http-api 14).
 */
export interface PageConfig {
  /** Name of this instance; `''` means the product's own. */
  Name: string
  DisableExternal: boolean
  DisableUsedPercentage: boolean
  /** Without a trailing slash; `''` at the root. */
  BaseURL: string
  StaticURL: string
  ReCaptcha: boolean
  ReCaptchaHost?: string
  ReCaptchaKey: string
  Signup: boolean
  Version: string
  NoAuth: boolean
  AuthMethod: 'json' | 'proxy' | 'hook' | 'noauth'
  LoginPage: boolean
  LogoutPage: string
  /** OpenID providers with which users sign in: a button each. The sign-in page goes to the one with `auto` at once. */
  Providers: { slug: string; label: string; auto?: true }[]
  /** Who signs in with a password: without a provider always every user. */
  PasswordLogin: 'everybody' | 'admins' | 'nobody'
  /** Whether some user signs in with a passkey: a button for it. */
  Passkeys: boolean
  /** Whether some users must have a second factor. */
  FactorDuty: boolean
  /** Which share links users may make. */
  Links: LinkPolicy
  HideLoginButton: boolean
  /** `''` light, `dark`, or `auto`, which follows the system. */
  Theme: '' | 'light' | 'dark' | 'auto'
  /** Accent of the interface, as `#rgb` or `#rrggbb`; `''` and any other text mean the product's own. */
  Color: string
  /** Whether the host has a style sheet of its own. */
  CSS: boolean
  /** URL of the host's own logo; `''` if there is none. */
  Logo: string
  /** URL of the picture of the sign-in page; `''` if there is none. */
  LoginPicture: string
  EnableThumbs: boolean
  /** Whether videos have previews, too; that requires a program on the host. */
  VideoThumbs: boolean
  /** Whether office documents can be shown as pages; that requires programs on the host. */
  Documents: boolean
  ResizePreview: boolean
  EnableExec: boolean
  /** What commands and hooks run in; `missing`: they are refused, since the sandbox does not work. */
  ExecSandbox: 'bubblewrap' | 'none' | 'missing'
  /** Whether moving and renaming copy the data, and take time in proportion. */
  MovesByCopy: boolean
  /** Whether deleted items go to the trash, as far as their disk allows it. */
  Trash: boolean
  /** Whether the host has further roots. */
  Mounts: boolean
  /** Whether the host has an office editor, in which documents can be edited. */
  Office: boolean
  /** Whether pictures in a folder are shown in place of its icon. */
  FolderCovers: boolean
  /** Whether the README of a folder is shown below its listing. */
  FolderReadme: boolean
  /** Whether users with the permission to modify make shared tags, too. */
  SharedTags: boolean
  /** Whether the host has a mail server. */
  Mail: boolean
  /** Whether programs reach the files over WebDAV. */
  Dav: boolean
  /** Whether users have webhooks of their own. */
  UserWebhooks: boolean
  /** Whether administrators may make API tokens that administrate. */
  AdminTokens: boolean
  /** Maximum days of a new API token; 0 for no limit. */
  TokenDays: number
  /** Whether searches cover file contents, too. */
  SearchesContents: boolean
  TusSettings: { chunkSize: number; retryCount: number }
}

/** Id of the element with the configuration. */
export const PAGE_CONFIG_ID = 'app-config'
