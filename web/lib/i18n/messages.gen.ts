// Written by web/tools/i18n-types.ts from web/locales/en.json.

/** Every text of the interface, with the arguments it wants. */
export interface Messages {
  'actions.clearSelection': Record<never, never>
  'actions.delete': Record<never, never>
  'actions.download': Record<never, never>
  'actions.goUp': Record<never, never>
  'actions.newFolder': Record<never, never>
  'actions.open': Record<never, never>
  'actions.refresh': Record<never, never>
  'actions.selectAll': Record<never, never>
  'actions.share': Record<never, never>
  'actions.upload': Record<never, never>
  'actions.uploadFolder': Record<never, never>
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
  'files.announce': { name: string | number; count: number }
  'files.announceSelection': { count: number }
  'files.brokenLink': Record<never, never>
  'files.columnModified': Record<never, never>
  'files.columnName': Record<never, never>
  'files.columnSize': Record<never, never>
  'files.count': { count: number }
  'files.counts': { folders: number; files: number }
  'files.deleteConfirm': Record<never, never>
  'files.deleteFailed': { count: number }
  'files.deleteFolder': Record<never, never>
  'files.deleteMany': { count: number }
  'files.deleteManyText': { folders: number }
  'files.deleteMore': { count: number }
  'files.deleteOne': { name: string | number }
  'files.deleteOneText': Record<never, never>
  'files.deleted': { count: number }
  'files.deleting': { done: string | number; total: string | number }
  'files.empty': Record<never, never>
  'files.emptyDrop': Record<never, never>
  'files.folderCreate': Record<never, never>
  'files.folderName': Record<never, never>
  'files.goUp': Record<never, never>
  'files.hidden': Record<never, never>
  'files.home': Record<never, never>
  'files.listing': { name: string | number }
  'files.location': Record<never, never>
  'files.menu': Record<never, never>
  'files.nameDots': Record<never, never>
  'files.nameEmpty': Record<never, never>
  'files.nameLong': Record<never, never>
  'files.nameSlash': Record<never, never>
  'files.nameTaken': { name: string | number }
  'files.newFolder': Record<never, never>
  'files.newFolderDefault': Record<never, never>
  'files.newFolderForbidden': Record<never, never>
  'files.noSpace': Record<never, never>
  'files.offline': Record<never, never>
  'files.select': { name: string | number }
  'files.selected': { count: number }
  'files.selectionBar': Record<never, never>
  'files.sort': Record<never, never>
  'files.sortLargest': Record<never, never>
  'files.sortNameDown': Record<never, never>
  'files.sortNameUp': Record<never, never>
  'files.sortNewest': Record<never, never>
  'files.sortOldest': Record<never, never>
  'files.sortSmallest': Record<never, never>
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
  'shares.by': { name: string | number }
  'shares.chooseDate': Record<never, never>
  'shares.chooseDuration': Record<never, never>
  'shares.code': Record<never, never>
  'shares.codeOf': { url: string | number }
  'shares.copy': Record<never, never>
  'shares.copyByHand': Record<never, never>
  'shares.create': Record<never, never>
  'shares.dateMissing': Record<never, never>
  'shares.datePast': Record<never, never>
  'shares.dayTime': { day: string | number; time: string | number }
  'shares.delete': Record<never, never>
  'shares.deleteText': { path: string | number }
  'shares.deleteTitle': Record<never, never>
  'shares.deleted': Record<never, never>
  'shares.duration': Record<never, never>
  'shares.durationHint': Record<never, never>
  'shares.durationWrong': Record<never, never>
  'shares.endDate': Record<never, never>
  'shares.ends': { when: string | number }
  'shares.expires': { when: string | number }
  'shares.explain': Record<never, never>
  'shares.forbidden': Record<never, never>
  'shares.link': Record<never, never>
  'shares.linkCopied': Record<never, never>
  'shares.links': Record<never, never>
  'shares.locked': Record<never, never>
  'shares.new': Record<never, never>
  'shares.openToAll': Record<never, never>
  'shares.openWithPassword': Record<never, never>
  'shares.password': Record<never, never>
  'shares.passwordHint': Record<never, never>
  'shares.passwordLong': Record<never, never>
  'shares.permanent': Record<never, never>
  'shares.permanentLink': Record<never, never>
  'shares.title': { name: string | number }
  'shares.unit': Record<never, never>
  'shares.unitDays': Record<never, never>
  'shares.unitHours': Record<never, never>
  'shares.unitMinutes': Record<never, never>
  'shares.unitSeconds': Record<never, never>
  'uploads.announceFailed': { name: string | number; reason: string | number }
  'uploads.announceStart': { count: number }
  'uploads.apply': Record<never, never>
  'uploads.cancel': { name: string | number }
  'uploads.cancelAll': Record<never, never>
  'uploads.chooseFiles': Record<never, never>
  'uploads.chooseFilesHint': Record<never, never>
  'uploads.chooseFolder': Record<never, never>
  'uploads.chooseFolderHint': Record<never, never>
  'uploads.collapse': Record<never, never>
  'uploads.conflictMore': { count: number }
  'uploads.conflictText': Record<never, never>
  'uploads.conflictTitle': { count: number }
  'uploads.decide': Record<never, never>
  'uploads.dismiss': Record<never, never>
  'uploads.done': { count: number }
  'uploads.dropHere': { name: string | number }
  'uploads.expand': Record<never, never>
  'uploads.failedCount': { count: number }
  'uploads.keepBoth': Record<never, never>
  'uploads.newVersion': Record<never, never>
  'uploads.oldVersion': Record<never, never>
  'uploads.pausedOffline': Record<never, never>
  'uploads.pausedSession': Record<never, never>
  'uploads.progress': { done: string | number; total: string | number; percent: string | number }
  'uploads.reason.badName': Record<never, never>
  'uploads.reason.connection': Record<never, never>
  'uploads.reason.folderInTheWay': Record<never, never>
  'uploads.reason.forbidden': Record<never, never>
  'uploads.reason.noSpace': Record<never, never>
  'uploads.reason.other': { message: string | number }
  'uploads.reason.tooLarge': Record<never, never>
  'uploads.reason.unreadable': Record<never, never>
  'uploads.region': Record<never, never>
  'uploads.replace': Record<never, never>
  'uploads.replaceAll': Record<never, never>
  'uploads.retry': { name: string | number }
  'uploads.retryAll': Record<never, never>
  'uploads.skip': Record<never, never>
  'uploads.skipAll': Record<never, never>
  'uploads.state.active': Record<never, never>
  'uploads.state.conflict': Record<never, never>
  'uploads.state.failed': Record<never, never>
  'uploads.state.queued': Record<never, never>
  'uploads.title': { name: string | number }
  'uploads.whatToDo': { name: string | number }
}
