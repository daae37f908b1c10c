import type { PageConfig } from '../../shared/api/page.ts'
import type { Settings } from '../../shared/api/settings.ts'
import type { Config } from '../config.ts'
import { VERSION } from '../version.ts'

/** The page configuration of specification section 1, from what this server really offers. */
export function pageConfig(config: Config, settings: Settings): PageConfig {
  const { branding } = settings
  return {
    Name: branding.name,
    DisableExternal: branding.disableExternal,
    DisableUsedPercentage: branding.disableUsedPercentage,
    BaseURL: config.baseURL,
    StaticURL: `${config.baseURL}/static`,
    ReCaptcha: false,
    ReCaptchaKey: '',
    Signup: settings.signup,
    Version: VERSION,
    NoAuth: false,
    AuthMethod: 'json',
    LoginPage: true,
    LogoutPage: '/login',
    HideLoginButton: settings.hideLoginButton,
    Theme: branding.theme,
    Color: branding.color,
    CSS: false,
    EnableThumbs: false,
    ResizePreview: false,
    EnableExec: false,
    TusSettings: { chunkSize: 10 * 1024 * 1024, retryCount: 5 },
  }
}
