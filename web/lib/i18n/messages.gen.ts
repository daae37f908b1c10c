// Written by web/tools/i18n-types.ts from web/locales/en.json.

/** Every text of the interface, with the arguments it wants. */
export interface Messages {
  'auth.capsLock': Record<never, never>
  'auth.expired': Record<never, never>
  'auth.hidePassword': Record<never, never>
  'auth.noConnection': Record<never, never>
  'auth.password': Record<never, never>
  'auth.showPassword': Record<never, never>
  'auth.submit': Record<never, never>
  'auth.submitting': Record<never, never>
  'auth.title': Record<never, never>
  'auth.tooManyAttempts': { seconds: number }
  'auth.username': Record<never, never>
  'auth.wrongCredentials': Record<never, never>
  'common.cancel': Record<never, never>
  'common.close': Record<never, never>
  'common.download': Record<never, never>
  'common.goHome': Record<never, never>
  'common.hiddenFolders': Record<never, never>
  'common.loading': Record<never, never>
  'common.logIn': Record<never, never>
  'common.noPreview': Record<never, never>
  'common.ok': Record<never, never>
  'common.open': Record<never, never>
  'common.path': Record<never, never>
  'common.retry': Record<never, never>
  'errors.chunk': Record<never, never>
  'errors.forbidden': Record<never, never>
  'errors.internal': Record<never, never>
  'errors.notFound': Record<never, never>
  'errors.offline': Record<never, never>
  'errors.reload': Record<never, never>
  'errors.reportCopied': Record<never, never>
  'errors.reportIssue': Record<never, never>
  'nav.account': { name: string | number }
  'nav.error': Record<never, never>
  'nav.files': Record<never, never>
  'nav.help': Record<never, never>
  'nav.helpText': Record<never, never>
  'nav.helpTitle': Record<never, never>
  'nav.logout': Record<never, never>
  'nav.main': Record<never, never>
  'nav.myFiles': Record<never, never>
  'nav.new': Record<never, never>
  'nav.notices': Record<never, never>
  'nav.skip': Record<never, never>
  'nav.themeAuto': Record<never, never>
  'nav.themeDark': Record<never, never>
  'nav.themeLight': Record<never, never>
  'nav.toggleSidebar': Record<never, never>
  'nav.usage': { used: string | number; total: string | number }
  'nav.usageLabel': Record<never, never>
}
