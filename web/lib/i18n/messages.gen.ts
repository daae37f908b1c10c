// Written by web/tools/i18n-types.ts from web/locales/en.json.

/** Every text of the interface, with the arguments it wants. */
export interface Messages {
  'actions.back': Record<never, never>
  'actions.clearSelection': Record<never, never>
  'actions.closeFilter': Record<never, never>
  'actions.copy': Record<never, never>
  'actions.copyTo': Record<never, never>
  'actions.cut': Record<never, never>
  'actions.delete': Record<never, never>
  'actions.details': Record<never, never>
  'actions.download': Record<never, never>
  'actions.downloadFolder': Record<never, never>
  'actions.extract': Record<never, never>
  'actions.filter': Record<never, never>
  'actions.find': Record<never, never>
  'actions.fit': Record<never, never>
  'actions.goToLine': Record<never, never>
  'actions.goUp': Record<never, never>
  'actions.moveTo': Record<never, never>
  'actions.newFile': Record<never, never>
  'actions.newFolder': Record<never, never>
  'actions.open': Record<never, never>
  'actions.pack': Record<never, never>
  'actions.paste': Record<never, never>
  'actions.previewNext': Record<never, never>
  'actions.previewPrevious': Record<never, never>
  'actions.refresh': Record<never, never>
  'actions.rename': Record<never, never>
  'actions.selectAll': Record<never, never>
  'actions.share': Record<never, never>
  'actions.sizes': Record<never, never>
  'actions.undo': Record<never, never>
  'actions.upload': Record<never, never>
  'actions.uploadFolder': Record<never, never>
  'actions.wrap': Record<never, never>
  'actions.zoomIn': Record<never, never>
  'actions.zoomOut': Record<never, never>
  'audit.console': Record<never, never>
  'audit.everything': Record<never, never>
  'audit.export': Record<never, never>
  'audit.from': Record<never, never>
  'audit.gap': Record<never, never>
  'audit.noneFound': Record<never, never>
  'audit.pruned': Record<never, never>
  'audit.rebound': Record<never, never>
  'audit.until': Record<never, never>
  'auth.capsLock': Record<never, never>
  'auth.captchaFailed': Record<never, never>
  'auth.expired': Record<never, never>
  'auth.haveAccount': Record<never, never>
  'auth.hidePassword': Record<never, never>
  'auth.noAccount': Record<never, never>
  'auth.noConnection': Record<never, never>
  'auth.password': Record<never, never>
  'auth.passwordAgain': Record<never, never>
  'auth.passwordsDiffer': Record<never, never>
  'auth.showPassword': Record<never, never>
  'auth.signUp': Record<never, never>
  'auth.signUpClosed': Record<never, never>
  'auth.submit': Record<never, never>
  'auth.submitting': Record<never, never>
  'auth.title': Record<never, never>
  'auth.tooManyAttempts': { seconds: number }
  'auth.username': Record<never, never>
  'auth.usernameTaken': Record<never, never>
  'auth.wrongCredentials': Record<never, never>
  'common.cancel': Record<never, never>
  'common.close': Record<never, never>
  'common.download': Record<never, never>
  'common.goHome': Record<never, never>
  'common.late': Record<never, never>
  'common.loading': Record<never, never>
  'common.no': Record<never, never>
  'common.noPreview': Record<never, never>
  'common.open': Record<never, never>
  'common.path': Record<never, never>
  'common.retry': Record<never, never>
  'common.yes': Record<never, never>
  'conflicts.all': { count: number }
  'conflicts.apply': Record<never, never>
  'conflicts.folder': Record<never, never>
  'conflicts.keepBoth': Record<never, never>
  'conflicts.merge': Record<never, never>
  'conflicts.more': { count: number }
  'conflicts.ours': Record<never, never>
  'conflicts.replace': Record<never, never>
  'conflicts.replaceOlder': Record<never, never>
  'conflicts.skip': Record<never, never>
  'conflicts.skipIdentical': Record<never, never>
  'conflicts.text': Record<never, never>
  'conflicts.theirs': Record<never, never>
  'conflicts.title': { count: number }
  'conflicts.whatToDo': { name: string }
  'details.bytes': { short: string; bytes: number }
  'details.calculate': Record<never, never>
  'details.calculateOne': { name: string }
  'details.checksums': Record<never, never>
  'details.close': Record<never, never>
  'details.copied': Record<never, never>
  'details.copyOne': { name: string }
  'details.copyPath': Record<never, never>
  'details.count': Record<never, never>
  'details.inside': Record<never, never>
  'details.isLink': Record<never, never>
  'details.kind': Record<never, never>
  'details.link': Record<never, never>
  'details.sum': { size: string }
  'details.title': Record<never, never>
  'details.why': Record<never, never>
  'doctor.about.contentIndex': Record<never, never>
  'doctor.about.contentIndexBytes': Record<never, never>
  'doctor.about.disableImageResolutionCalc': Record<never, never>
  'doctor.about.disablePreviewResize': Record<never, never>
  'doctor.about.disableQueryToken': Record<never, never>
  'doctor.about.disableThumbnails': Record<never, never>
  'doctor.about.disableTypeDetectionByHeader': Record<never, never>
  'doctor.about.extractBytes': Record<never, never>
  'doctor.about.extractDepth': Record<never, never>
  'doctor.about.extractMembers': Record<never, never>
  'doctor.about.extractRatio': Record<never, never>
  'doctor.about.imageProcessors': Record<never, never>
  'doctor.about.logLevel': Record<never, never>
  'doctor.about.maxImagePixels': Record<never, never>
  'doctor.about.nameIndex': Record<never, never>
  'doctor.about.nameIndexEvery': Record<never, never>
  'doctor.about.passwordCost': Record<never, never>
  'doctor.about.tokenExpirationTime': Record<never, never>
  'doctor.again': Record<never, never>
  'doctor.baseRight': { what: string }
  'doctor.baseWrong': { what: string }
  'doctor.bodiesPass': { size: string }
  'doctor.bodiesStopped': { size: string; what: string }
  'doctor.cameByProxy': { what: string }
  'doctor.cameByStranger': { what: string }
  'doctor.cameStraight': { what: string }
  'doctor.change': Record<never, never>
  'doctor.changeNamed': { name: string }
  'doctor.changeable': Record<never, never>
  'doctor.changeableText': Record<never, never>
  'doctor.clockRight': Record<never, never>
  'doctor.clockUnknown': Record<never, never>
  'doctor.clockWrong': { seconds: number }
  'doctor.cookieLost': Record<never, never>
  'doctor.cookieSent': Record<never, never>
  'doctor.databaseBroken': { what: string }
  'doctor.databaseLost': { what: string }
  'doctor.databaseSound': { what: string }
  'doctor.defaultIs': { value: string }
  'doctor.encrypted': Record<never, never>
  'doctor.eventsLate': Record<never, never>
  'doctor.eventsPass': Record<never, never>
  'doctor.filmsMade': Record<never, never>
  'doctor.filmsMissing': Record<never, never>
  'doctor.fine': Record<never, never>
  'doctor.folderClosed': { what: string }
  'doctor.folderFree': { what: string; size: string }
  'doctor.folderFull': { what: string; size: string }
  'doctor.fromDatabase': Record<never, never>
  'doctor.fromDefault': Record<never, never>
  'doctor.fromFile': Record<never, never>
  'doctor.fromFlag': Record<never, never>
  'doctor.fromVariable': Record<never, never>
  'doctor.handOverBare': { what: string }
  'doctor.handOverFails': { what: string }
  'doctor.handOverOpen': { what: string }
  'doctor.handOverWorks': Record<never, never>
  'doctor.heldByHandles': Record<never, never>
  'doctor.heldByNames': Record<never, never>
  'doctor.host.first': Record<never, never>
  'doctor.host.guard': Record<never, never>
  'doctor.host.key': Record<never, never>
  'doctor.host.place': Record<never, never>
  'doctor.host.power': Record<never, never>
  'doctor.host.way': Record<never, never>
  'doctor.looking': Record<never, never>
  'doctor.methodsPass': { what: string }
  'doctor.methodsStopped': { what: string }
  'doctor.namesPass': Record<never, never>
  'doctor.namesStopped': { what: string }
  'doctor.nearby': Record<never, never>
  'doctor.nextStart': { value: string }
  'doctor.notShown': Record<never, never>
  'doctor.notable': Record<never, never>
  'doctor.onlyHost': Record<never, never>
  'doctor.picturesFail': { what: string }
  'doctor.picturesMade': Record<never, never>
  'doctor.plainText': Record<never, never>
  'doctor.programsBoxed': Record<never, never>
  'doctor.programsFree': Record<never, never>
  'doctor.programsOff': Record<never, never>
  'doctor.programsRefused': Record<never, never>
  'doctor.reached': { what: string }
  'doctor.settingSaved': Record<never, never>
  'doctor.settings': Record<never, never>
  'doctor.settingsText': Record<never, never>
  'doctor.silenceStopped': { seconds: string; what: string }
  'doctor.socketsPass': Record<never, never>
  'doctor.socketsStopped': Record<never, never>
  'doctor.storeAway': { what: string }
  'doctor.toDefault': Record<never, never>
  'doctor.trickleStopped': { seconds: string; what: string }
  'doctor.trySlow': { seconds: string }
  'doctor.unreachable': { what: string }
  'doctor.waitsPass': { seconds: string }
  'doctor.watchesFew': { count: number }
  'doctor.watchesMany': { count: number }
  'doctor.wrong': Record<never, never>
  'download.many': { count: number }
  'download.one': { name: string }
  'download.otherFormats': Record<never, never>
  'download.single': { count: number }
  'download.text': Record<never, never>
  'download.tooMany': Record<never, never>
  'editor.changedText': Record<never, never>
  'editor.changedTitle': { name: string }
  'editor.draft': Record<never, never>
  'editor.draftChanged': Record<never, never>
  'editor.draftText': { date: string; age: string }
  'editor.encoding': Record<never, never>
  'editor.find': Record<never, never>
  'editor.leaveText': Record<never, never>
  'editor.leaveTitle': { name: string }
  'editor.leaving': Record<never, never>
  'editor.line': Record<never, never>
  'editor.lineEnds': Record<never, never>
  'editor.matchCase': Record<never, never>
  'editor.mine': Record<never, never>
  'editor.mixedLineEnds': Record<never, never>
  'editor.noMatch': Record<never, never>
  'editor.noText': Record<never, never>
  'editor.overwrite': Record<never, never>
  'editor.place': { line: string; column: string }
  'editor.readOnly': Record<never, never>
  'editor.reload': Record<never, never>
  'editor.rendered': Record<never, never>
  'editor.replaceAll': Record<never, never>
  'editor.replaceWith': Record<never, never>
  'editor.replaced': { count: string }
  'editor.restore': Record<never, never>
  'editor.saveFailed': { name: string; reason: string }
  'editor.saved': Record<never, never>
  'editor.source': Record<never, never>
  'editor.split': Record<never, never>
  'editor.text': { name: string }
  'editor.theirs': Record<never, never>
  'editor.tooLarge': { limit: string }
  'editor.unencodable': { encoding: string }
  'editor.wholeWord': Record<never, never>
  'errors.changed': Record<never, never>
  'errors.chunk': Record<never, never>
  'errors.damaged': Record<never, never>
  'errors.encrypted': Record<never, never>
  'errors.forbidden': Record<never, never>
  'errors.hookFailed': Record<never, never>
  'errors.hookRefused': Record<never, never>
  'errors.internal': Record<never, never>
  'errors.notFound': Record<never, never>
  'errors.offline': Record<never, never>
  'errors.refused': Record<never, never>
  'errors.reload': Record<never, never>
  'errors.reportCopied': Record<never, never>
  'errors.reportIssue': Record<never, never>
  'errors.serverRefused': Record<never, never>
  'errors.unavailable': Record<never, never>
  'errors.unsupported': Record<never, never>
  'fields.badExpression': Record<never, never>
  'fields.badFolder': Record<never, never>
  'fields.commands': Record<never, never>
  'fields.commandsHint': Record<never, never>
  'fields.confirm': Record<never, never>
  'fields.currentPassword': Record<never, never>
  'fields.currentPasswordHint': Record<never, never>
  'fields.currentPasswordWrong': Record<never, never>
  'fields.dateFormat': Record<never, never>
  'fields.density': Record<never, never>
  'fields.densityComfortable': Record<never, never>
  'fields.densityCompact': Record<never, never>
  'fields.discard': Record<never, never>
  'fields.discardText': Record<never, never>
  'fields.discardTitle': Record<never, never>
  'fields.hideDotfiles': Record<never, never>
  'fields.invalid': Record<never, never>
  'fields.language': Record<never, never>
  'fields.languageBrowser': Record<never, never>
  'fields.passwordEasy': Record<never, never>
  'fields.passwordEmpty': Record<never, never>
  'fields.passwordLong': Record<never, never>
  'fields.passwordShort': { count: number }
  'fields.passwordsMatch': Record<never, never>
  'fields.save': Record<never, never>
  'fields.scope': Record<never, never>
  'fields.scopeHint': Record<never, never>
  'fields.shareNeedsDownload': Record<never, never>
  'fields.singleClick': Record<never, never>
  'fields.stay': Record<never, never>
  'fields.summary': { count: number }
  'fields.theme': Record<never, never>
  'fields.unsaved': Record<never, never>
  'fields.update': Record<never, never>
  'fields.usernameBad': Record<never, never>
  'fields.usernameEmpty': Record<never, never>
  'fields.viewGallery': Record<never, never>
  'fields.viewList': Record<never, never>
  'fields.viewMode': Record<never, never>
  'fields.viewMosaic': Record<never, never>
  'files.announce': { name: string; count: number }
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
  'files.deleteOne': { name: string }
  'files.deleteOneText': Record<never, never>
  'files.deleted': { count: number }
  'files.empty': Record<never, never>
  'files.emptyDrop': Record<never, never>
  'files.folderCreate': Record<never, never>
  'files.folderName': Record<never, never>
  'files.goUp': Record<never, never>
  'files.hidden': Record<never, never>
  'files.home': Record<never, never>
  'files.listing': { name: string }
  'files.location': Record<never, never>
  'files.menu': Record<never, never>
  'files.nameDots': Record<never, never>
  'files.nameEmpty': Record<never, never>
  'files.nameLong': Record<never, never>
  'files.nameSlash': Record<never, never>
  'files.nameTaken': { name: string }
  'files.newFolder': Record<never, never>
  'files.newFolderDefault': Record<never, never>
  'files.newFolderForbidden': Record<never, never>
  'files.noSpace': Record<never, never>
  'files.offline': Record<never, never>
  'files.reasonGone': Record<never, never>
  'files.reasonIntoItself': Record<never, never>
  'files.reasonOutside': Record<never, never>
  'files.reasonReadOnly': Record<never, never>
  'files.reasonTaken': Record<never, never>
  'files.select': { name: string }
  'files.selected': { count: number }
  'files.selectionBar': Record<never, never>
  'files.shared': Record<never, never>
  'files.sort': Record<never, never>
  'files.sortLargest': Record<never, never>
  'files.sortNameDown': Record<never, never>
  'files.sortNameUp': Record<never, never>
  'files.sortNewest': Record<never, never>
  'files.sortOldest': Record<never, never>
  'files.sortSmallest': Record<never, never>
  'files.unread': { count: number }
  'filter.found': { found: number; total: number }
  'filter.label': Record<never, never>
  'filter.nothing': { text: string }
  'jobs.archive': { name: string }
  'jobs.at': { when: string }
  'jobs.begins': Record<never, never>
  'jobs.bytes': { done: string; total: string }
  'jobs.cancel': { title: string }
  'jobs.cancelled': Record<never, never>
  'jobs.copy': { count: number; name: string; place: string }
  'jobs.delete': { count: number; name: string }
  'jobs.details': Record<never, never>
  'jobs.dismiss': { title: string }
  'jobs.dismissAll': Record<never, never>
  'jobs.done': { count: number }
  'jobs.ended': { count: number }
  'jobs.endedByLogout': Record<never, never>
  'jobs.endedBySession': Record<never, never>
  'jobs.entries': { count: number }
  'jobs.extract': { name: string }
  'jobs.failed': { count: number }
  'jobs.hoursLeft': { count: number }
  'jobs.itemCancelled': Record<never, never>
  'jobs.itemSkipped': Record<never, never>
  'jobs.items': { done: string; total: string }
  'jobs.minutesLeft': { count: number }
  'jobs.move': { count: number; name: string; place: string }
  'jobs.pause': { title: string }
  'jobs.rate': { size: string }
  'jobs.region': Record<never, never>
  'jobs.resume': { title: string }
  'jobs.running': { count: number }
  'jobs.scheduled': { count: number }
  'jobs.secondsLeft': { count: number }
  'jobs.skipped': { count: number }
  'jobs.waiting': Record<never, never>
  'keys.anywhere': Record<never, never>
  'keys.click': Record<never, never>
  'keys.close': Record<never, never>
  'keys.confirm': Record<never, never>
  'keys.dialogs': Record<never, never>
  'keys.doubleClick': Record<never, never>
  'keys.edges': Record<never, never>
  'keys.editor': Record<never, never>
  'keys.extend': Record<never, never>
  'keys.files': Record<never, never>
  'keys.find': Record<never, never>
  'keys.folder': Record<never, never>
  'keys.fullscreen': Record<never, never>
  'keys.goUp': Record<never, never>
  'keys.history': Record<never, never>
  'keys.letters': Record<never, never>
  'keys.look': Record<never, never>
  'keys.menu': Record<never, never>
  'keys.menuKey': Record<never, never>
  'keys.mouse': Record<never, never>
  'keys.move': Record<never, never>
  'keys.moveFocus': Record<never, never>
  'keys.mute': Record<never, never>
  'keys.next': Record<never, never>
  'keys.nextRegion': Record<never, never>
  'keys.open': Record<never, never>
  'keys.pages': Record<never, never>
  'keys.preview': Record<never, never>
  'keys.previous': Record<never, never>
  'keys.previousRegion': Record<never, never>
  'keys.range': Record<never, never>
  'keys.seekBack': Record<never, never>
  'keys.seekOn': Record<never, never>
  'keys.select': Record<never, never>
  'keys.shell': Record<never, never>
  'keys.shellHistory': Record<never, never>
  'keys.toggle': Record<never, never>
  'keys.typeAhead': Record<never, never>
  'kinds.archive': Record<never, never>
  'kinds.audio': Record<never, never>
  'kinds.book': Record<never, never>
  'kinds.code': Record<never, never>
  'kinds.doc': Record<never, never>
  'kinds.file': Record<never, never>
  'kinds.folder': Record<never, never>
  'kinds.image': Record<never, never>
  'kinds.link': Record<never, never>
  'kinds.pdf': Record<never, never>
  'kinds.sheet': Record<never, never>
  'kinds.slides': Record<never, never>
  'kinds.text': Record<never, never>
  'kinds.video': Record<never, never>
  'naming.create': Record<never, never>
  'naming.created': { name: string }
  'naming.fileName': Record<never, never>
  'naming.newFile': Record<never, never>
  'naming.newFileDefault': Record<never, never>
  'naming.newFileForbidden': Record<never, never>
  'naming.newName': Record<never, never>
  'naming.renameTitle': { name: string }
  'naming.renamed': { name: string }
  'nav.account': { name: string }
  'nav.error': Record<never, never>
  'nav.help': Record<never, never>
  'nav.helpTitle': Record<never, never>
  'nav.logout': Record<never, never>
  'nav.main': Record<never, never>
  'nav.myFiles': Record<never, never>
  'nav.new': Record<never, never>
  'nav.noNotices': Record<never, never>
  'nav.notices': Record<never, never>
  'nav.settings': Record<never, never>
  'nav.skip': Record<never, never>
  'nav.terminal': Record<never, never>
  'nav.themeAuto': Record<never, never>
  'nav.themeDark': Record<never, never>
  'nav.themeLight': Record<never, never>
  'nav.toggleSidebar': Record<never, never>
  'nav.usage': { used: string; total: string }
  'nav.usageLabel': Record<never, never>
  'pack.format': Record<never, never>
  'pack.title': { count: number }
  'palette.choice': { group: string; label: string }
  'palette.find': Record<never, never>
  'palette.none': Record<never, never>
  'palette.title': Record<never, never>
  'permissions.admin': Record<never, never>
  'permissions.adminHint': Record<never, never>
  'permissions.adminWhy': Record<never, never>
  'permissions.create': Record<never, never>
  'permissions.delete': Record<never, never>
  'permissions.download': Record<never, never>
  'permissions.execute': Record<never, never>
  'permissions.modify': Record<never, never>
  'permissions.rename': Record<never, never>
  'permissions.share': Record<never, never>
  'permissions.title': Record<never, never>
  'picker.closed': Record<never, never>
  'picker.copy': Record<never, never>
  'picker.copyMany': { count: number }
  'picker.copyOne': { name: string }
  'picker.extract': Record<never, never>
  'picker.extractOne': { name: string }
  'picker.folders': Record<never, never>
  'picker.into': { path: string }
  'picker.move': Record<never, never>
  'picker.moveMany': { count: number }
  'picker.moveOne': { name: string }
  'picker.noNewFolder': Record<never, never>
  'picker.numbered': Record<never, never>
  'picker.recent': Record<never, never>
  'preview.actions': Record<never, never>
  'preview.announce': { name: string; index: number; count: number }
  'preview.archiveMore': Record<never, never>
  'preview.asHex': Record<never, never>
  'preview.asTable': Record<never, never>
  'preview.asText': Record<never, never>
  'preview.camera': Record<never, never>
  'preview.codec': { codec: string }
  'preview.contents': Record<never, never>
  'preview.damaged': Record<never, never>
  'preview.encrypted': Record<never, never>
  'preview.exposure': Record<never, never>
  'preview.forbidden': Record<never, never>
  'preview.goTo': Record<never, never>
  'preview.imageLarge': Record<never, never>
  'preview.imageUnknown': Record<never, never>
  'preview.mediaUnknown': Record<never, never>
  'preview.offset': Record<never, never>
  'preview.openTab': Record<never, never>
  'preview.page': Record<never, never>
  'preview.pixels': Record<never, never>
  'preview.position': { index: string; count: string }
  'preview.sheets': Record<never, never>
  'preview.speed': Record<never, never>
  'preview.tableCut': { count: string }
  'preview.taken': Record<never, never>
  'preview.tooLarge': { limit: string }
  'preview.window': Record<never, never>
  'preview.zoom': Record<never, never>
  'publicShare.downloadSelected': Record<never, never>
  'publicShare.gone': Record<never, never>
  'publicShare.locked': Record<never, never>
  'publicShare.modified': { when: string }
  'publicShare.select': Record<never, never>
  'publicShare.showMore': { count: number }
  'publicShare.shown': { shown: number; total: number }
  'publicShare.textTooLong': Record<never, never>
  'publicShare.title': Record<never, never>
  'rules.add': Record<never, never>
  'rules.allow': Record<never, never>
  'rules.allowedBy': { number: number }
  'rules.deniedBy': { number: number }
  'rules.deny': Record<never, never>
  'rules.down': { number: number }
  'rules.effect': { number: number }
  'rules.everything': Record<never, never>
  'rules.expression': { number: number }
  'rules.moved': { position: number; count: number }
  'rules.number': { number: number }
  'rules.path': { number: number }
  'rules.regex': Record<never, never>
  'rules.relative': Record<never, never>
  'rules.remove': { number: number }
  'rules.try': Record<never, never>
  'rules.tryHint': Record<never, never>
  'rules.unmatched': Record<never, never>
  'rules.up': { number: number }
  'schedule.confirm': Record<never, never>
  'schedule.conflict': Record<never, never>
  'schedule.copy': { count: number; name: string }
  'schedule.delete': { count: number; name: string }
  'schedule.done': { when: string }
  'schedule.far': Record<never, never>
  'schedule.inOneHour': Record<never, never>
  'schedule.later': Record<never, never>
  'schedule.move': { count: number; name: string }
  'schedule.past': Record<never, never>
  'schedule.text': Record<never, never>
  'schedule.tomorrow': Record<never, never>
  'schedule.tonight': Record<never, never>
  'schedule.when': Record<never, never>
  'search.building': Record<never, never>
  'search.close': Record<never, never>
  'search.contents': Record<never, never>
  'search.everywhere': Record<never, never>
  'search.field': Record<never, never>
  'search.found': { count: number }
  'search.hint': Record<never, never>
  'search.limited': Record<never, never>
  'search.notIndexed': Record<never, never>
  'search.nothing': { query: string; name: string }
  'search.onlyHere': Record<never, never>
  'search.open': Record<never, never>
  'search.refused': Record<never, never>
  'search.results': Record<never, never>
  'search.reveal': { name: string }
  'search.searching': { count: number }
  'search.showInFolder': Record<never, never>
  'search.stop': Record<never, never>
  'search.stopped': { count: number }
  'search.truncated': { count: string }
  'search.typeAudio': Record<never, never>
  'search.typeImage': Record<never, never>
  'search.typePdf': Record<never, never>
  'search.typeVideo': Record<never, never>
  'search.types': Record<never, never>
  'settings.accentColor': Record<never, never>
  'settings.accounts': Record<never, never>
  'settings.afterCopy': Record<never, never>
  'settings.afterDelete': Record<never, never>
  'settings.afterRename': Record<never, never>
  'settings.afterSave': Record<never, never>
  'settings.afterUpload': Record<never, never>
  'settings.beforeCopy': Record<never, never>
  'settings.beforeDelete': Record<never, never>
  'settings.beforeRename': Record<never, never>
  'settings.beforeSave': Record<never, never>
  'settings.beforeUpload': Record<never, never>
  'settings.branding': Record<never, never>
  'settings.brandingFolder': Record<never, never>
  'settings.brandingFolderHint': Record<never, never>
  'settings.brandingText': Record<never, never>
  'settings.browser': Record<never, never>
  'settings.browserText': Record<never, never>
  'settings.cancelPlanned': { count: number }
  'settings.changePassword': Record<never, never>
  'settings.commandRunner': Record<never, never>
  'settings.commandRunnerText': Record<never, never>
  'settings.commandsUpdated': Record<never, never>
  'settings.copyLinkTo': { path: string }
  'settings.createUserDir': Record<never, never>
  'settings.defaults': Record<never, never>
  'settings.defaultsText': Record<never, never>
  'settings.deleteLinkTo': { path: string }
  'settings.disableExternal': Record<never, never>
  'settings.disableUsedPercentage': Record<never, never>
  'settings.display': Record<never, never>
  'settings.filter': Record<never, never>
  'settings.general': Record<never, never>
  'settings.hideLoginButton': Record<never, never>
  'settings.homes': Record<never, never>
  'settings.homesHint': Record<never, never>
  'settings.instanceName': Record<never, never>
  'settings.logoutEverywhere': Record<never, never>
  'settings.minimumPasswordLength': Record<never, never>
  'settings.newPassword': Record<never, never>
  'settings.newPasswordAgain': Record<never, never>
  'settings.noneFound': Record<never, never>
  'settings.offline': Record<never, never>
  'settings.passwordUpdated': Record<never, never>
  'settings.rules': Record<never, never>
  'settings.rulesText': Record<never, never>
  'settings.sessions': Record<never, never>
  'settings.shareActions': Record<never, never>
  'settings.shareDuration': Record<never, never>
  'settings.sharePath': Record<never, never>
  'settings.sharesEmpty': Record<never, never>
  'settings.shell': Record<never, never>
  'settings.shellCommand': Record<never, never>
  'settings.shellHint': Record<never, never>
  'settings.signup': Record<never, never>
  'settings.tabGlobal': Record<never, never>
  'settings.tabProfile': Record<never, never>
  'settings.tabShares': Record<never, never>
  'settings.tabUsers': Record<never, never>
  'settings.updated': Record<never, never>
  'shares.by': { name: string }
  'shares.chooseDate': Record<never, never>
  'shares.chooseDuration': Record<never, never>
  'shares.code': Record<never, never>
  'shares.codeOf': { url: string }
  'shares.copy': Record<never, never>
  'shares.copyByHand': Record<never, never>
  'shares.create': Record<never, never>
  'shares.dateMissing': Record<never, never>
  'shares.datePast': Record<never, never>
  'shares.dayTime': { day: string; time: string }
  'shares.delete': Record<never, never>
  'shares.deleteText': { path: string }
  'shares.deleteTitle': Record<never, never>
  'shares.deleted': Record<never, never>
  'shares.duration': Record<never, never>
  'shares.durationHint': Record<never, never>
  'shares.durationWrong': Record<never, never>
  'shares.endDate': Record<never, never>
  'shares.ends': { when: string }
  'shares.expires': { when: string }
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
  'shares.title': { name: string }
  'shares.unit': Record<never, never>
  'shares.unitDays': Record<never, never>
  'shares.unitHours': Record<never, never>
  'shares.unitMinutes': Record<never, never>
  'shares.unitSeconds': Record<never, never>
  'sizes.more': { count: number }
  'sizes.none': Record<never, never>
  'sizes.onDisk': Record<never, never>
  'sizes.partial': Record<never, never>
  'terminal.allowed': Record<never, never>
  'terminal.busy': Record<never, never>
  'terminal.clear': Record<never, never>
  'terminal.close': Record<never, never>
  'terminal.command': { folder: string }
  'terminal.copied': Record<never, never>
  'terminal.copy': { command: string }
  'terminal.cutOff': Record<never, never>
  'terminal.finished': Record<never, never>
  'terminal.height': Record<never, never>
  'terminal.lines': { count: number }
  'terminal.lost': Record<never, never>
  'terminal.noCommands': Record<never, never>
  'terminal.noSandbox': Record<never, never>
  'terminal.notAllowed': Record<never, never>
  'terminal.notCopied': Record<never, never>
  'terminal.notFound': Record<never, never>
  'terminal.off': Record<never, never>
  'terminal.offline': Record<never, never>
  'terminal.output': Record<never, never>
  'terminal.refused': Record<never, never>
  'terminal.sandbox': Record<never, never>
  'terminal.sandboxMissing': Record<never, never>
  'terminal.stop': Record<never, never>
  'terminal.stopped': Record<never, never>
  'terminal.welcome': Record<never, never>
  'titles.audit': Record<never, never>
  'titles.doctor': Record<never, never>
  'titles.global': Record<never, never>
  'titles.newUser': Record<never, never>
  'titles.profile': Record<never, never>
  'titles.shares': Record<never, never>
  'titles.user': Record<never, never>
  'titles.users': Record<never, never>
  'transfer.alreadyHere': Record<never, never>
  'transfer.copied': { count: number }
  'transfer.copiedTo': { count: number; name: string }
  'transfer.copiesAll': Record<never, never>
  'transfer.copyFailed': { count: number }
  'transfer.cut': { count: number }
  'transfer.moveFailed': { count: number }
  'transfer.movedTo': { count: number; name: string }
  'undo.done': Record<never, never>
  'undo.failed': { reason: string }
  'undo.undo': Record<never, never>
  'uploads.announceFailed': { name: string; reason: string }
  'uploads.announceStart': { count: number }
  'uploads.cancel': { name: string }
  'uploads.cancelAll': Record<never, never>
  'uploads.chooseFiles': Record<never, never>
  'uploads.chooseFilesHint': Record<never, never>
  'uploads.chooseFolder': Record<never, never>
  'uploads.chooseFolderHint': Record<never, never>
  'uploads.collapse': Record<never, never>
  'uploads.conflictText': Record<never, never>
  'uploads.conflictTitle': { count: number }
  'uploads.continue': Record<never, never>
  'uploads.continueFolder': Record<never, never>
  'uploads.continueText': Record<never, never>
  'uploads.continueTitle': { count: number }
  'uploads.decide': Record<never, never>
  'uploads.dismiss': Record<never, never>
  'uploads.done': { count: number }
  'uploads.dropHere': { name: string }
  'uploads.expand': Record<never, never>
  'uploads.failedCount': { count: number }
  'uploads.giveUp': Record<never, never>
  'uploads.onlyWhole': Record<never, never>
  'uploads.pause': { name: string }
  'uploads.pauseAll': Record<never, never>
  'uploads.pausedByPerson': Record<never, never>
  'uploads.pausedOffline': Record<never, never>
  'uploads.pausedSession': Record<never, never>
  'uploads.progress': { done: string; total: string; percent: string }
  'uploads.reason.badName': Record<never, never>
  'uploads.reason.connection': Record<never, never>
  'uploads.reason.damaged': Record<never, never>
  'uploads.reason.folderGone': Record<never, never>
  'uploads.reason.folderInTheWay': Record<never, never>
  'uploads.reason.forbidden': Record<never, never>
  'uploads.reason.noSpace': Record<never, never>
  'uploads.reason.other': { message: string }
  'uploads.reason.readOnly': Record<never, never>
  'uploads.reason.tooLarge': Record<never, never>
  'uploads.reason.unreadable': Record<never, never>
  'uploads.region': Record<never, never>
  'uploads.resume': { name: string }
  'uploads.resumeAll': Record<never, never>
  'uploads.retry': { name: string }
  'uploads.retryAll': Record<never, never>
  'uploads.state.active': Record<never, never>
  'uploads.state.conflict': Record<never, never>
  'uploads.state.failed': Record<never, never>
  'uploads.state.paused': Record<never, never>
  'uploads.state.queued': Record<never, never>
  'uploads.tallyDone': { count: number }
  'uploads.tallyFailed': { count: number }
  'uploads.tallySkipped': { count: number }
  'uploads.title': { name: string }
  'users.account': Record<never, never>
  'users.actions': Record<never, never>
  'users.admin': Record<never, never>
  'users.blankPassword': Record<never, never>
  'users.count': { count: number }
  'users.create': Record<never, never>
  'users.created': Record<never, never>
  'users.deleteHint': Record<never, never>
  'users.deleteSection': Record<never, never>
  'users.deleteText': Record<never, never>
  'users.deleteTitle': { name: string }
  'users.deleted': Record<never, never>
  'users.edit': { name: string }
  'users.filter': Record<never, never>
  'users.lastAdmin': Record<never, never>
  'users.lockPassword': Record<never, never>
  'users.lockPasswordWhy': Record<never, never>
  'users.nameOrHomeTaken': Record<never, never>
  'users.new': Record<never, never>
  'users.noneFound': Record<never, never>
  'users.ownHome': Record<never, never>
  'users.ownHomeHint': { folder: string }
  'users.rulesText': Record<never, never>
  'users.updated': Record<never, never>
  'views.gallery': Record<never, never>
  'views.list': Record<never, never>
  'views.menuOf': { name: string }
  'views.more': Record<never, never>
  'views.mosaic': Record<never, never>
  'views.view': Record<never, never>
  'why.allowed': Record<never, never>
  'why.ask': Record<never, never>
  'why.hidden': Record<never, never>
  'why.mend': Record<never, never>
  'why.mode': Record<never, never>
  'why.owner': { owner: string; mode: string }
  'why.refused': Record<never, never>
  'why.ruleGlobal': Record<never, never>
  'why.ruleOwn': Record<never, never>
  'why.server': { server: string }
}
