import type { AuditAction } from '../../../shared/api/audit.ts'
import type { MessageKey } from '../../lib/i18n/index.ts'

/** Display name of each action, in the words of the button that performs it. */
export const ACTION_LABELS = {
  login: 'auth.title',
  logout: 'nav.logout',
  signup: 'auth.signUp',
  'session.end': 'settings.logoutEverywhere',
  read: 'actions.open',
  download: 'actions.download',
  'share.open': 'shares.link',
  upload: 'actions.upload',
  save: 'fields.save',
  folder: 'actions.newFolder',
  copy: 'actions.copy',
  move: 'picker.move',
  delete: 'actions.delete',
  archive: 'kinds.archive',
  extract: 'picker.extract',
  command: 'fields.commands',
  'share.add': 'shares.create',
  'share.remove': 'shares.delete',
  'share.rebind': 'audit.rebound',
  'user.add': 'titles.newUser',
  'user.change': 'titles.user',
  'user.remove': 'users.deleteSection',
  'settings.change': 'titles.global',
  'audit.export': 'audit.export',
  'audit.prune': 'audit.pruned',
  'audit.gap': 'audit.gap',
  console: 'audit.console',
} as const satisfies Record<AuditAction, MessageKey>
